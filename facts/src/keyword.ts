/** What the interface allows for a keyword, in characters of its normal form. */
export const keywordLength = { min: 2, max: 100 } as const;

/**
 * The normal form of a keyword or search term: NFKC, trimmed, lower case, inner blanks collapsed to one space.
 * Two spellings with one normal form are one keyword. (spec: scoring, common rules)
 */
export function normalizeKeyword(keyword: string): string {
  return keyword.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** Length in characters as a person counts them: code points, so that an emoji is one and not two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
