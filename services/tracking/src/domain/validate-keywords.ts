import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';

/** A keyword of a request in its normal form, and what keeps it from being tracked. */
export type ValidatedKeyword = { keyword: string; problem: string | null };

/** Normalizes the keywords of one request and names what is wrong with each, in the order sent. */
export function validateKeywords(sent: readonly string[]): ValidatedKeyword[] {
  const seen = new Set<string>();
  return sent.map((raw) => {
    const keyword = normalizeKeyword(raw);
    const problem = seen.has(keyword)
      ? 'It is in this call twice: only the first one counts.'
      : keywordProblem(keyword);
    seen.add(keyword);
    return { keyword, problem };
  });
}
