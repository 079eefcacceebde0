import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';

/** A keyword of a request in its normal form, and why it cannot be tracked; null when it can. */
export type ValidatedKeyword = { keyword: string; problem: string | null };

/** Normalizes the keywords of one request and checks each, in the order sent. @param lang BCP 47 */
export function validateKeywords(sent: readonly string[], lang: string): ValidatedKeyword[] {
  const seen = new Set<string>();
  return sent.map((raw) => {
    const keyword = normalizeKeyword(raw, lang);
    const problem = seen.has(keyword)
      ? 'This call contains the keyword twice: only the first one counts.'
      : keywordProblem(keyword);
    seen.add(keyword);
    return { keyword, problem };
  });
}
