import { normalizeUnicode } from './combining-marks.ts';
import { withoutInvisible } from './invisible-characters.ts';

/** The allowed length of a keyword, in code points of its normal form. */
export const keywordLength = { min: 2, max: 100 } as const;
/** The allowed length of an autocomplete prefix, in code points of its normal form. */
export const prefixLength = { min: 1, max: 60 } as const;

/**
 * The normal form of a keyword or search term: NFKC, without invisible characters, trimmed, lower case, inner whitespace
 * collapsed to one space. Keywords with the same normal form are the same keyword. `I` becomes `ı` in Turkish and Azeri
 * (`IŞIK` is `ışık`). `İ` becomes a plain `i` everywhere, because its own lower case is an i with a second dot, which people
 * do not type. A keyword in lower case is the same in every language. (docs/scores.md, words)
 * @param lang BCP 47: that of the storefront; absent: unknown, as English
 */
export function normalizeKeyword(keyword: string, lang = 'en'): string {
  const isDotless = dotless.test(lang);
  if (!isDotless && plain.test(keyword)) return keyword.toLowerCase();
  const text = withoutInvisible(normalizeUnicode(keyword, 'NFKC'));
  const lower = (isDotless ? text.toLocaleLowerCase('tr') : text.toLowerCase()).replace(/i\u0307+/gu, 'i');
  return normalizeUnicode(lower, 'NFKC').replace(blanks, ' ').trim();
}

/** The languages in which `I` is the capital of `ı`. */
const dotless = /^(?:tr|az)(?:-|$)/i;
/** Most keywords: only their letter case may differ from the normal form. */
const plain = /^[!-~]+(?: [!-~]+)*$/;
/** White space, and what looks like it: the control character for a next line, and the blank of Braille. */
const blanks = /[\s\u0085\u2800]+/gu;

/** The length in code points, so that an emoji counts as one character. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Lone surrogates: no store can search for them. */
const unsearchable = /\p{Cs}/u;
/** Excludes texts of private and unassigned characters only. */
const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** Why no store can search for a keyword in its normal form, as a sentence for API users; null when it is fine. */
export function keywordProblem(keyword: string): string | null {
  return textProblem('A keyword', keyword, keywordLength);
}

/** Why no store can complete a prefix in its normal form, as a sentence for API users; null when it is fine. */
export function prefixProblem(prefix: string): string | null {
  return textProblem('A prefix', prefix, prefixLength);
}

function textProblem(kind: string, text: string, { min, max }: { min: number; max: number }): string | null {
  const length = countCharacters(text);
  if (length < min || length > max)
    return `${kind} has ${min} to ${max} characters; this one has ${length} in its normal form.`;
  if (unsearchable.test(text)) return 'It contains broken Unicode: send plain text.';
  if (!visible.test(text)) return 'It contains no visible character: send plain text.';
  return null;
}
