import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { countWords } from '@shelfwise/facts/text/count-words';
import { scoringVersion } from '../scoring-version.ts';
import { brandOf, isThin } from './brand.ts';
import { difficultyOf } from './difficulty.ts';
import type { KeywordReading, ResultPage } from './keyword-reading.ts';
import type { GenreCount, KeywordScore } from './keyword-score.ts';
import { type KnownSuggestion, knownSuggestion, noSuggestion } from './known-suggestion.ts';
import { type SearchStatus, searchStatusOf } from './search-status.ts';
import { isDetailed, type TopResult, topResultsOf } from './top-result.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** A keyword in normal form, and what was read for it. */
export type ReadTerm = { storefront: Storefront; keyword: string; reading: KeywordReading };

/**
 * Computes the scores of one keyword from what was read:
 * - a page whose app details were not read yet gives no score
 * - a page of apps whose details were read, but are all unknown, gives no difficulty, and traffic only with suggestions
 * - a page without results gives traffic (0) only together with the suggestions, where the store has them
 * - without a page, a suggestion can still prove that the term is searched (`ungraded`)
 * - while the suggestions are not known, the traffic of a page is partial, and the term `pending` unless a title proves that
 *   it is searched
 *
 * Otherwise the traffic is null whenever the search status is `pending`.
 * @param now for the ages of the apps; the same reading and time give the same score
 */
export function scoreKeyword(term: ReadTerm, now: Date): KeywordScore {
  const { page } = term.reading;
  const results = page === null ? null : topResultsOf(term.keyword, page, term.storefront.lang);
  const isScorable = page === null || isDetailed(page);
  const difficulty = results !== null && isScorable ? difficultyOf(results, now) : null;
  const suggestion = knownSuggestion(term.reading, term.storefront);
  const computed = isScorable ? computeTraffic(term, results, suggestion) : null;
  const searchStatus = statusOf(term, computed, results, suggestion);
  const isShown = searchStatus !== 'pending' || (suggestion.isPartial && results !== null);
  const traffic = isShown ? computed : null;
  return {
    scoring_version: scoringVersion,
    scored_at: now,
    difficulty: difficulty?.score ?? null,
    traffic: traffic?.score ?? null,
    difficulty_parts: difficulty?.parts ?? null,
    traffic_parts: traffic?.parts ?? null,
    is_partial: traffic !== null && suggestion.isPartial,
    ...brandsIn(term, page),
    results: page?.size ?? null,
    search_status: searchStatus,
    genres: page && countGenres(page),
  };
}

function countGenres({ apps }: ResultPage): GenreCount[] {
  const counts = new Map<string, number>();
  for (const { genre_key: key } of apps.slice(0, 10))
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, apps: count }));
}

function computeTraffic(
  { storefront, keyword, reading }: ReadTerm,
  results: TopResult[] | null,
  { match, isPartial }: KnownSuggestion,
): Traffic | null {
  if (match === null && isPartial && results?.length === 0) return null;
  return trafficOf({
    results,
    match,
    charted: reading.chart?.charted ?? null,
    words: countWords(keyword, storefront.lang),
  });
}

/** While suggestions are unknown, only a traffic that holds without any can prove that a term is searched. */
function statusOf(
  term: ReadTerm,
  computed: Traffic | null,
  results: TopResult[] | null,
  suggestion: KnownSuggestion,
): SearchStatus {
  const { isPartial } = suggestion;
  const least =
    computed !== null && isPartial
      ? computeTraffic(term, results, { match: noSuggestion, isPartial })
      : computed;
  return searchStatusOf(least?.score ?? null, results, suggestion);
}

function brandsIn(
  { keyword, storefront }: ReadTerm,
  page: ResultPage | null,
): Pick<KeywordScore, 'brand' | 'suspected_brand'> {
  const named = page && brandOf(keyword, page.apps.slice(0, 10), storefront.lang);
  const isSuspected = page !== null && isThin(page.size);
  return { brand: isSuspected ? null : named, suspected_brand: isSuspected ? named : null };
}
