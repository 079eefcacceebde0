import fc from 'fast-check';
import { parseCsv } from './parse-csv.ts';

const parse = (text: string, maxLength = 1000) => parseCsv(text, { maxLength });

test('fields are separated by commas; quotes hold commas, line breaks and doubled quotes', () => {
  expect(parse('a,b\r\n"x, ""y""\nz",2\n\n,\n')).toEqual({
    records: [
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['x, "y"\nz', '2'] },
      { line: 5, fields: ['', ''] },
    ],
    problems: [],
  });
  expect(parse('last,line').records).toEqual([{ line: 1, fields: ['last', 'line'] }]);
  expect(parse('')).toEqual({ records: [], problems: [] });
});

test.each([
  ['a"b,c', /quote inside/],
  ['"a"b,c', /after a closing quote/],
  ['"a,c', /not closed/],
  [`${'x'.repeat(1001)},c`, /more than 1000 characters/],
])('%#: a malformed record is a problem of its line, and the next one is read', (record, problem) => {
  const { records, problems } = parse(`head,er\n${record}\nnext,one\n`);
  expect(problems).toEqual([{ line: 2, problem: expect.stringMatching(problem) }]);
  expect(records).toEqual([
    { line: 1, fields: ['head', 'er'] },
    { line: 3, fields: ['next', 'one'] },
  ]);
});

test('what is written as RFC 4180 says is read back, with either line break', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.boolean(), (written, lineBreak, endsWithBreak) => {
      const lines = written.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
      const { records, problems } = parse(lines.join(lineBreak) + (endsWithBreak ? lineBreak : ''));
      expect(problems).toEqual([]);
      expect(records.map(({ fields }) => fields)).toEqual(written);
    }),
  );
});

test('any text is read to its end, and every line number exists', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') }), (text) => {
      const { records, problems } = parse(text, 20);
      const lineCount = text.split('\n').length;
      for (const { line } of [...records, ...problems]) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lineCount);
      }
    }),
  );
});
