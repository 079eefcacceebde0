/** A value of one cell: of arrays, the items are joined. */
export type CsvValue = string | number | boolean | null | undefined | readonly string[];

/** Null and an absent value are an empty cell; an empty text is `""`. */
export function toCsvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quote(disarm(strip(typeof value === 'string' ? value : value.join('; '))));
}

/** Control characters but tabs and line breaks, and those that change the direction of a text. */
const stripped = /[^\P{Cc}\t\r\n]|\p{Bidi_Control}/gu;

/** Without characters that are invisible to a reader, and that change what a terminal or an editor shows. */
function strip(text: string): string {
  return text.replace(stripped, '');
}

/** First signs of a formula, also full-width ones: spreadsheets read them as plain ones. */
const signs = '[=+\\-@\uff1d\uff0b\uff0d\uff20]';
/** What may precede them: quotes, white space and invisible characters. */
const skipped = '["\\s\\p{Cf}]*';
const startsLikeFormula = new RegExp(`^${skipped}${signs}|^[\\t\\r\\n]`, 'u');
/** The sign comes first in the pattern: looking behind every character would take the square of a long run of blanks. */
const followsCellEnd = new RegExp(`${signs}(?<=[;\\t\\r\\n]${skipped}${signs})`, 'gu');

/**
 * Spreadsheets run a cell that begins like a formula. Texts of stores and users begin as they like: those cells get an
 * apostrophe, so that a spreadsheet takes them as text. Numbers stay numbers.
 * What follows a semicolon, a tab or a line break counts as a cell, too. Where the decimal sign is a comma, a spreadsheet
 * splits the file at semicolons. It then reads a quote in the middle of a cell as a character, and splits texts at their
 * line breaks. Pasted text is split at tabs.
 */
function disarm(text: string): string {
  const cells = text.replace(followsCellEnd, "'$&");
  return startsLikeFormula.test(cells) ? `'${cells}` : cells;
}

function quote(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
