import { normalizeUnicode } from './combining-marks.ts';
import { cutText } from './cut-text.ts';
import { withoutInvisible } from './invisible-characters.ts';
import { letterWithSymbols } from './letter-with-symbols.ts';

/**
 * In UTF-16 units: the longest listing field plus the usual growth in NFKC (`…` becomes three). The limit is needed
 * because the run time of `Intl.Segmenter` is quadratic, and NFKC can turn one character into eighteen (`ﷺ`).
 */
const maxUnits = 5_000;

/**
 * Prepares a text for the segmentation into words and phrases:
 * - NFKC and the lower case of its language. `I` becomes `ı` in Turkish and Azeri. `İ` becomes a plain `i`
 *   everywhere, because its own lower case is an i with a second dot, which people do not type.
 * - Curly apostrophes become straight ones.
 * - A space replaces each trademark sign, because NFKC would turn it into letters (`™` into `TM`).
 * - Invisible characters are removed, so that a word is read as it looks (`Ha\u200bbit` is `habit`). The variation selector
 *   of color emoji is removed, too, except in a keycap: its digit is a word, which keeps its normal form.
 * - A space follows a full stop that ends a sentence (`app.Download`).
 * - Whitespace and line breaks stay, because a phrase ends at a line break.
 * - Only the first 5,000 UTF-16 units are used, which bounds the cost of segmentation.
 * @param lang BCP 47
 */
export function normalizeText(text: string, lang: string): string {
  const normal = withoutInvisible(normalizeUnicode(withoutTradeMarks(cutText(text, maxUnits)), 'NFKC'))
    .replace(stopBeforeCapital, '. ')
    .toLocaleLowerCase(lang)
    .replace(/i\u0307+/gu, 'i')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/\ufe0f(?!\u20e3)/gu, '');
  return cutText(normalizeUnicode(normal, 'NFKC'), maxUnits);
}

/** A full stop without a space before a capital (`app.Download`), but not in `booking.com`, `BOOKING.COM`, `U.S.A`. */
const stopBeforeCapital = /(?<=\p{Ll})\.(?=\p{Lu})/gu;

/**
 * Folds a text for comparison only: `STRASSE` equals `straße`, `IŞIK` equals `ışık`. Upper case comes first, because
 * these letters are equal only there. A final Greek sigma (`ς`) becomes `σ`.
 */
export function foldText(text: string): string {
  return normalizeText(normalizeUnicode(withoutTradeMarks(text), 'NFKC').toUpperCase(), 'en').replace(
    /ς/gu,
    'σ',
  );
}

/**
 * The folded text with only letters, marks, digits and the symbols of words such as `c++`. One space replaces
 * everything else.
 */
export function foldWithoutPunctuation(text: string): string {
  return foldText(text)
    .replace(notWordCharacters, (_, symbolWord: string | undefined) => symbolWord ?? ' ')
    .trim();
}

const notWordCharacters = new RegExp(`(${letterWithSymbols.source})|[^\\p{L}\\p{M}\\p{N}]+`, 'gu');

function withoutTradeMarks(text: string): string {
  return text.replace(/[\u2122\u2120]/gu, ' ');
}
