/** What the interface allows for a keyword, in characters of its normal form. */
export const keywordLength = { min: 2, max: 100 } as const;
/** And for what is to be completed: the beginning of a search. */
export const prefixLength = { min: 1, max: 60 } as const;

/**
 * The normal form of a keyword or search term: NFKC, trimmed, lower case, inner blanks collapsed to one space.
 * Two spellings with one normal form are one keyword. `İ` becomes a plain `i`: its own lower case is an i with a second
 * dot, which nobody types. (spec: scoring, common rules)
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

/** Length in characters as a person counts them: code points, so that an emoji is one and not two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Control characters and halves of surrogate pairs: no store can be searched for them. */
const unsearchable = /[\p{Cc}\p{Cs}]/u;
/** Anything that leaves a mark: a keyword of joiners and zero-width blanks alone does not. */
const visible = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** Why a keyword, in its normal form, cannot be searched for: a sentence for a person; null when it can. */
export function keywordProblem(keyword: string): string | null {
  return textProblem('A keyword', keyword, keywordLength);
}

/** Why a prefix, in its normal form, cannot be completed: a sentence for a person; null when it can. */
export function prefixProblem(prefix: string): string | null {
  return textProblem('A prefix', prefix, prefixLength);
}

function textProblem(kind: string, text: string, { min, max }: { min: number; max: number }): string | null {
  const length = countCharacters(text);
  if (length < min || length > max)
    return `${kind} has ${min} to ${max} characters; this one has ${length} in its normal form.`;
  if (unsearchable.test(text)) return 'It holds control characters: send plain text.';
  if (!visible.test(text)) return 'It holds no visible character: send plain text.';
  return null;
}
