import fc from 'fast-check';
import { type CsvValue, toCsvChunks } from './csv.ts';

const write = (columns: string[], rows: CsvValue[][]) => [...toCsvChunks(columns, rows)].join('');

/** RFC 4180, written from its grammar: every line ends with CRLF, and only quoted cells contain `,`, `"`, CR or LF. */
function parse(csv: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  for (let at = 0; at < csv.length; ) {
    const [cell, end] = csv[at] === '"' ? parseQuoted(csv, at) : parsePlain(csv, at);
    cells.push(cell);
    if (csv[end] === ',') {
      at = end + 1;
      // An empty last cell has no character of its own.
      if (at === csv.length) throw new Error('the last line has no end');
    } else if (csv.startsWith('\r\n', end)) {
      lines.push(cells);
      cells = [];
      at = end + 2;
    } else throw new Error(`a cell ends at ${end} with ${JSON.stringify(csv[end])}`);
  }
  if (cells.length > 0) throw new Error('the last line has no end');
  return lines;
}

function parsePlain(csv: string, from: number): [string, number] {
  const [plain = ''] = /^[^",\r\n]*/.exec(csv.slice(from)) ?? [];
  return [plain, from + plain.length];
}

function parseQuoted(csv: string, from: number): [string, number] {
  const quoted = /^"((?:[^"]|"")*)"/.exec(csv.slice(from));
  if (!quoted) throw new Error('a quote is not closed');
  return [(quoted[1] ?? '').replaceAll('""', '"'), from + quoted[0].length];
}

const isFormula = (text: string) => /^["\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text);
const isUnseen = (char: string) => {
  const code = char.codePointAt(0) ?? 0;
  const isControl = (code < 0x20 && !'\t\r\n'.includes(char)) || (code >= 0x7f && code <= 0x9f);
  return (
    isControl || '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'.includes(char)
  );
};
const withoutUnseen = (text: string) => [...text].filter((char) => !isUnseen(char)).join('');
const shown = (value: CsvValue) => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = withoutUnseen(typeof value === 'string' ? value : value.join('; '));
  const cells = text.replaceAll(/(?<=[;\t\r\n]["\s\p{Cf}]*)[=+\-@＝＋－＠]/gu, "'$&");
  return isFormula(cells) ? `'${cells}` : cells;
};

const hardText = fc.string({
  unit: fc.constantFrom(...'a ,"\r\n\t=+-@\';é📷\u202e\x07'),
  maxLength: 8,
});
const anyText = fc.oneof(hardText, fc.string({ unit: 'binary', maxLength: 20 }));
const anyValue: fc.Arbitrary<CsvValue> = fc.oneof(
  anyText,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  fc.array(anyText, { maxLength: 3 }),
);
const anyTable = fc
  .integer({ min: 1, max: 5 })
  .chain((width) =>
    fc.tuple(
      fc.array(fc.constantFrom('id', 'app.title', 'score'), { minLength: width, maxLength: width }),
      fc.array(fc.array(anyValue, { minLength: width, maxLength: width }), { maxLength: 20 }),
    ),
  );

test('a parser of RFC 4180 reads the columns and every value again', () => {
  fc.assert(
    fc.property(anyTable, ([columns, rows]) => {
      expect(parse(write(columns, rows))).toEqual([columns, ...rows.map((row) => row.map(shown))]);
    }),
  );
});

test('no cell of a text begins like a formula; numbers stay numbers', () => {
  fc.assert(
    fc.property(anyText, fc.integer(), (text, number) => {
      const [, cells = []] = parse(write(['text', 'number'], [[text, number]]));
      expect(isFormula(cells[0] ?? '')).toBe(false);
      const parts = cells[0]?.split(/[;\t\r\n]/) ?? [];
      expect(parts.some((part) => /^["\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(part))).toBe(false);
      expect(cells[0]?.replaceAll("'", '')).toBe(withoutUnseen(text).replaceAll("'", ''));
      expect([...(cells[0] ?? '')].some(isUnseen)).toBe(false);
      expect(cells[1]).toBe(String(number));
    }),
  );
});

test.each<[CsvValue, string]>([
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['Fit; =1+1;-2;x', "Fit; '=1+1;'-2;x"],
  ['x;"=1+1;y', '"x;""\'=1+1;y"'],
  ['\u200b=1', "'\u200b=1"],
  ['\u00a0＝1', "'\u00a0＝1"],
  ['\t=1', "'\t'=1"],
  ['a\t=1', "a\t'=1"],
  ['a\tb\nc', '"a\tb\nc"'],
  ['My\u202eApp\u2066 \u061c\u200e\u200f\x1b[31m\x85', 'MyApp [31m'],
  ['👨\u200d👩\u200d👧 کتاب\u200cخوان', '👨\u200d👩\u200d👧 کتاب\u200cخوان'],
  [['a\0', '\u202b=b'], "a; '=b"],
  ['\n=1', '"\'\n\'=1"'],
  [-5, '-5'],
  ['a=1', 'a=1'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['', '""'],
  [null, ''],
  [undefined, ''],
  [false, 'false'],
  [['https://a.test/1', 'https://a.test/2'], 'https://a.test/1; https://a.test/2'],
])('the cell of %j is %j', (value, cell) => {
  expect(write(['first', 'cell', 'last'], [[1, value, 2]])).toBe(`first,cell,last\r\n1,${cell},2\r\n`);
});

test('an empty list has its columns', () => expect(write(['id', 'title'], [])).toBe('id,title\r\n'));

test('rows are read only as far as chunks are taken', () => {
  let readCount = 0;
  function* rows() {
    for (; readCount < 10_000; readCount++) yield ['x'.repeat(100)];
  }
  const chunks = toCsvChunks(['text'], rows());
  const { value } = chunks.next();
  expect(readCount).toBeLessThan(400);
  expect((value as string).length).toBeLessThan(40_000);
  const length = [value as string, ...chunks].join('').length;
  expect(length).toBe('text\r\n'.length + 10_000 * 102);
});
