import { sameSpelling } from '@shelfwise/facts/text/evidence';
import type { KnownSuggestion } from './known-suggestion.ts';
import type { TopResult } from './top-result.ts';

/**
 * `searched`: people search for it; `ungraded`: they do, but its result page was not read; `unsearched`: they do not.
 * `pending`: too little was read to decide; the traffic may be known, if it is partial. (docs/scores.md, traffic)
 */
export type SearchStatus = 'searched' | 'ungraded' | 'unsearched' | 'pending';

/** The minimum traffic of a searched term. (docs/scores.md, traffic) */
export const searchedTraffic = 5;

/**
 * Whether people search for a term (docs/scores.md, traffic): its traffic is 5 or more, and a suggestion is it or starts with
 * it. Instead of a suggestion, a title of the top 5 may have it, at most joined or in the plural. Where the store has no
 * autocomplete, traffic alone decides. What is unknown is never `unsearched`. Without a result page a searched term is
 * `ungraded`, any other `pending`. So is a term while the suggestions or a title of the top 5 that could decide are unknown.
 * @param traffic as published: rounded; while the suggestions are unknown, what it is at least
 */
export function searchStatusOf(
  traffic: number | null,
  results: readonly TopResult[] | null,
  { match, isPartial }: KnownSuggestion,
): SearchStatus {
  if (traffic === null) return 'pending';
  const top = results?.slice(0, 5) ?? [];
  const isNamed = top.some(({ evidence }) => evidence !== null && evidence >= sameSpelling);
  const isSuggested = !isPartial && match?.kind !== 'absent';
  const isSearched = traffic >= searchedTraffic && (isNamed || isSuggested);
  if (results === null) return isSearched ? 'ungraded' : 'pending';
  if (isSearched) return 'searched';
  const mayBeNamed = traffic >= searchedTraffic && top.some(({ evidence }) => evidence === null);
  return isPartial || mayBeNamed ? 'pending' : 'unsearched';
}

/** Whether it is known if people search for the term. Until then it counts as pending in every score. */
export function isRead({ searchStatus }: { searchStatus: SearchStatus }): boolean {
  return searchStatus === 'searched' || searchStatus === 'unsearched';
}

/** Whether people search for a scored term; null while too little is known. */
export function isSearchedOrUnknown({
  search_status: searchStatus,
}: {
  search_status: SearchStatus;
}): boolean | null {
  return searchStatus === 'pending' ? null : isSearched({ searchStatus });
}

/** Whether people search for the term, with or without a result page. */
export function isSearched({ searchStatus }: { searchStatus: SearchStatus }): boolean {
  return searchStatus === 'searched' || searchStatus === 'ungraded';
}
