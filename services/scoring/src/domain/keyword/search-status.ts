import type { SuggestionMatch } from './keyword-reading.ts';
import type { Place } from './place.ts';

/**
 * `searched`: people search for it; `ungraded`: they do, but its result page was not read; `unsearched`: they do not;
 * `pending`: too little was read to decide. (docs/scores.md, traffic)
 */
export type SearchStatus = 'searched' | 'ungraded' | 'unsearched' | 'pending';

/** The minimum traffic of a searched term. (docs/scores.md, traffic) */
export const searchedTraffic = 5;

/**
 * Whether people search for a term (docs/scores.md, traffic): its traffic is 5 or more, and the store suggests it, or
 * a suggestion starts with it, or it is exactly in a title of the top 5. Without a suggestion reading, traffic alone
 * decides. What is unknown is `pending`, never `unsearched`: without a result page a searched term is `ungraded`, any
 * other `pending`, also while a title of the top 5 is unknown that could decide.
 * @param traffic as published: rounded
 */
export function searchStatusOf(
  traffic: number | null,
  places: readonly Place[] | null,
  match: SuggestionMatch | null,
): SearchStatus {
  if (traffic === null) return 'pending';
  const top = places?.slice(0, 5);
  const isShown = match === null || match.kind !== 'absent' || top?.some((place) => place.evidence === 1);
  const isSearched = traffic >= searchedTraffic && isShown === true;
  if (places === null) return isSearched ? 'ungraded' : 'pending';
  if (isSearched) return 'searched';
  const mayBeShown = traffic >= searchedTraffic && top?.some((place) => place.evidence === null);
  return mayBeShown ? 'pending' : 'unsearched';
}

/** Whether the term's result page was read. Until then it counts as pending in every score. */
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
