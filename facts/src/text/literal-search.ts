import { normalizeUnicode } from './combining-marks.ts';
import { withoutInvisible } from './invisible-characters.ts';

/** Lone surrogates: the database accepts them in no regular expression and cannot store them unchanged. */
const unstorable = /\p{Surrogate}/gu;
/** In a regular expression they are written as escapes, which databases read differently. */
const lineBreaks = /[\n\r\u2028\u2029]/g;
const special = /[\\^$.*+?()[\]{}|]/g;

/**
 * Removes invisible characters (NUL among them) and differences in letter case and in the composition of characters. Line breaks
 * become spaces. Upper case has no final forms: every part of `ΟΔΟΣ` is found, which would not work in lower case.
 */
export function foldCase(text: string): string {
  return normalizeUnicode(withoutInvisible(text), 'NFC')
    .replace(unstorable, '\uFFFD')
    .replace(lineBreaks, ' ')
    .toUpperCase();
}

/** A pattern that finds a text literally in a result of `foldCase`. */
export function literalPattern(text: string): RegExp {
  return new RegExp(foldCase(text).replace(special, '\\$&'));
}
