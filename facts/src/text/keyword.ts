/** The allowed length of a keyword, in code points of its normal form. */
export const keywordLength = { min: 2, max: 100 } as const;
/** The allowed length of an autocomplete prefix, in code points of its normal form. */
export const prefixLength = { min: 1, max: 60 } as const;

/**
 * The normal form of a keyword or search term: NFKC, trimmed, lower case, inner whitespace collapsed to one space.
 * Keywords with the same normal form are the same keyword. `İ` becomes a plain `i`, because its own lower case is an
 * i with a second dot, which people do not type. (docs/scores.md, words)
 */
export function normalizeKeyword(keyword: string): string {
  return keyword
    .normalize('NFKC')
    .toLowerCase()
    .replace(/i\u0307+/gu, 'i')
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The length in code points, so that an emoji counts as one character. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Control characters and lone surrogates: no store can search for them. */
const unsearchable = /[\p{Cc}\p{Cs}]/u;
/** Excludes texts that consist of joiners and zero-width spaces only. */
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
  if (unsearchable.test(text)) return 'It contains control characters: send plain text.';
  if (!visible.test(text)) return 'It contains no visible character: send plain text.';
  return null;
}
