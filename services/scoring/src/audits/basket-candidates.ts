import type { Candidate } from '../domain/visibility/basket.ts';
import type { PagelessScore } from '../stores/term-projections.ts';

/** Terms that may be drawn into the basket of an app. Terms without a score are left out. */
export function basketCandidates(
  keywords: readonly string[],
  scores: ReadonlyMap<string, PagelessScore>,
  appId: string,
): Candidate[] {
  return keywords.flatMap((keyword) => {
    const score = scores.get(keyword);
    return score ? [toCandidate(keyword, score, appId)] : [];
  });
}

/**
 * A page of few results only suspects a brand: that of the app itself is one. Partial traffic is no weight: it would stay as long
 * as the basket.
 */
function toCandidate(keyword: string, score: PagelessScore, appId: string): Candidate {
  const { brand, suspected_brand: suspected } = score;
  const isBrand = brand !== null || suspected?.app_id === appId;
  if (score.is_partial) return { keyword, traffic: null, searchStatus: 'pending', isBrand };
  return { keyword, traffic: score.traffic, searchStatus: score.search_status, isBrand };
}
