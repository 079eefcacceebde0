import { cutText } from './cut-text.ts';
import { letterWithSymbols } from './letter-with-symbols.ts';

/**
 * UTF-16 units: the longest field of a store, and what a usual text gains in NFKC (`…` becomes three). The time of
 * `Intl.Segmenter` grows with the square of a text's length, and NFKC makes eighteen characters of one (`ﷺ`).
 */
const maxUnits = 5_000;

/**
 * A text as its words are taken from: NFKC and the lower case of its language, with its blanks and lines as they stand,
 * since a phrase ends at a line. `I` is `ı` in Turkish and Azeri, and `İ` everywhere a plain `i` (its own lower case is
 * an i with a second dot, which nobody types). Curly apostrophes become straight ones, trade marks go (NFKC makes letters
 * of them), and so does the sign that only asks for the colored form of an emoji. Its first 5,000 units, so that it can
 * be segmented whatever was sent.
 * @param lang BCP 47
 */
export function normalizeText(text: string, lang: string): string {
  const normal = withoutTradeMarks(cutText(text, maxUnits))
    .normalize('NFKC')
    .replace(stopBeforeCapital, '. ')
    .toLocaleLowerCase(lang)
    .replace(/i\u0307+/gu, 'i')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/\ufe0f/gu, '')
    .normalize('NFKC');
  return cutText(normal, maxUnits);
}

/** A sentence that ends without a blank, `app.Download`; not `booking.com`, `BOOKING.COM` and `U.S.A`. */
const stopBeforeCapital = /(?<=\p{Ll})\.(?=\p{Lu})/gu;

/**
 * A text for comparing only, with nothing left of letter case in any language: `STRASSE` is `straße`, `IŞIK` is `ışık`.
 * Upper case comes first because that is where such letters meet.
 */
export function foldText(text: string): string {
  return normalizeText(withoutTradeMarks(text).normalize('NFKC').toUpperCase(), 'en').replace(/ς/gu, 'σ');
}

/** Only letters, marks and digits, and the signs of `c++` and `c#`; folded, with one space where anything else stood. */
export function foldWithoutPunctuation(text: string): string {
  return foldText(text)
    .replace(unspelled, (_, signed: string | undefined) => signed ?? ' ')
    .trim();
}

const unspelled = new RegExp(`(${letterWithSymbols.source})|[^\\p{L}\\p{M}\\p{N}]+`, 'gu');

function withoutTradeMarks(text: string): string {
  return text.replace(/[\u2122\u2120]/gu, ' ');
}
