/**
 * A text as its words are taken from: NFKC and lower case like a keyword's normal form, but with its blanks and lines
 * as they stand, since a phrase ends at a line. `İ` becomes a plain `i` (its own lower case is an i with a second dot,
 * which nobody types), curly apostrophes become straight ones, and trade marks go (NFKC makes letters of them).
 */
export function normalText(text: string): string {
  return withoutTradeMarks(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/i\u0307/gu, 'i')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .normalize('NFKC');
}

/**
 * A text for comparing only, with nothing left of letter case: `STRASSE` is `straße`, `IŞIK` is `ışık`. Upper case
 * comes first because that is where such letters meet.
 */
export function foldText(text: string): string {
  return normalText(withoutTradeMarks(text).normalize('NFKC').toUpperCase()).replace(/ς/gu, 'σ');
}

/** Only letters, marks and digits, folded, with one space where anything else stood. */
export function spellText(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

function withoutTradeMarks(text: string): string {
  return text.replace(/[\u2122\u2120]/gu, ' ');
}
