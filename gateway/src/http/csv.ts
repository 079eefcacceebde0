/** A value of one cell: of arrays, the items are joined. */
export type CsvValue = string | number | boolean | null | undefined | readonly string[];

/** A chunk is sent once it has this many UTF-16 units: few writes, and little memory for a client that reads slowly. */
const chunkLength = 32 * 1024;

/**
 * RFC 4180 in pieces: a header row, then the rows, each ended by CRLF. A piece is made only when it is taken.
 */
export function* toCsvChunks(
  columns: readonly string[],
  rows: Iterable<readonly CsvValue[]>,
): Generator<string> {
  let chunk = toLine(columns);
  for (const row of rows) {
    chunk += toLine(row);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function toLine(values: readonly CsvValue[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

/** Null and an absent value are an empty cell; an empty text is `""`. */
function toCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quote(disarm(strip(typeof value === 'string' ? value : value.join('; '))));
}

/** Control characters but tabs and line breaks, and those that change the direction of a text. */
const stripped = /[^\P{Cc}\t\r\n]|\p{Bidi_Control}/gu;

/** Without characters that a reader does not see, and that make a terminal or an editor show something else. */
function strip(text: string): string {
  return text.replace(stripped, '');
}

/** Signs with which a formula begins, also full-width ones, which spreadsheets read as plain ones. */
const signs = '[=+\\-@\uff1d\uff0b\uff0d\uff20]';
/** What may precede them: quotes, white space and invisible characters. */
const skipped = '["\\s\\p{Cf}]*';
const startsLikeFormula = new RegExp(`^${skipped}${signs}|^[\\t\\r\\n]`, 'u');
/** The sign comes first in the pattern: looking behind every character would take the square of a long run of blanks. */
const followsCellEnd = new RegExp(`${signs}(?<=[;\\t\\r\\n]${skipped}${signs})`, 'gu');

/**
 * Spreadsheets run a cell that begins like a formula. Texts of stores and users begin as they like, so those cells get an
 * apostrophe, which makes a spreadsheet take them as text. Numbers stay numbers. A spreadsheet in a country whose decimal
 * sign is a comma splits the file at semicolons, and takes a quote in the middle of such a cell as a character, so that it
 * also splits texts at their line breaks, and pasted text is split at tabs: what follows a semicolon, a tab or a line break counts
 * as a cell, too.
 */
function disarm(text: string): string {
  const cells = text.replace(followsCellEnd, "'$&");
  return startsLikeFormula.test(cells) ? `'${cells}` : cells;
}

function quote(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
