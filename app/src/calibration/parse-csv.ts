/** `line` is that of the record's first character, from 1; a quoted field may go over several lines. */
export type CsvRecord = { line: number; fields: string[] };

/** What is wrong with the record that begins on this line: a phrase such as `a quote is not closed`. */
export type CsvProblem = { line: number; problem: string };

/** A problem is null if the record is sound. `end` is the index after the record and its line break. */
type ReadRecord = { fields: string[]; end: number; problem: string | null };

/**
 * Splits a text into records as RFC 4180 says: commas, quotes that are doubled inside quotes, CRLF or LF. Empty lines are
 * left out. A malformed record, or one of more than `maxLength` characters, is a problem and not a record; what follows
 * it is read. Takes time in proportion to the text.
 */
export function parseCsv(
  text: string,
  { maxLength }: { maxLength: number },
): { records: CsvRecord[]; problems: CsvProblem[] } {
  const records: CsvRecord[] = [];
  const problems: CsvProblem[] = [];
  let line = 1;
  for (let start = 0; start < text.length; ) {
    const { fields, end, problem } = readRecord(text, start);
    const isTooLong = end - start > maxLength;
    if (isTooLong) problems.push({ line, problem: `has more than ${maxLength} characters` });
    else if (problem !== null) problems.push({ line, problem });
    else if (fields.length > 1 || fields[0] !== '') records.push({ line, fields });
    line += countLineFeeds(text, start, end);
    start = end;
  }
  return { records, problems };
}

function readRecord(text: string, start: number): ReadRecord {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    if ('problem' in field) return { fields, end: endOfLine(text, at), problem: field.problem };
    fields.push(field.value);
    at = field.end;
    if (text[at] === ',') {
      at++;
      continue;
    }
    if (text.startsWith('\r\n', at)) return { fields, end: at + 2, problem: null };
    if (at >= text.length || text[at] === '\n') return { fields, end: at + 1, problem: null };
    return { fields, end: endOfLine(text, at), problem: 'has text after a closing quote' };
  }
}

type ReadField = { value: string; end: number } | { problem: string };

/** `at` is the index of the opening quote. */
function readQuoted(text: string, at: number): ReadField {
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { problem: 'opens a quote that is not closed' };
    if (text[quote + 1] !== '"')
      return { value: text.slice(at + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    from = quote + 2;
  }
}

function readPlain(text: string, at: number): ReadField {
  let end = at;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n') {
    if (text[end] === '"') return { problem: 'has a quote inside a field that does not begin with one' };
    if (text[end] === '\r' && text[end + 1] === '\n') break;
    end++;
  }
  return { value: text.slice(at, end), end };
}

/** The index after the next line feed: a malformed record ends with its line. */
function endOfLine(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  return lineFeed < 0 ? text.length : lineFeed + 1;
}

function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
