import type { SuggestionMatch } from './keyword-reading.ts';
import type { Place } from './place.ts';

/**
 * `searched`: people search for it; `ungraded`: they do, but its result page was not read; `unsearched`: they do not;
 * `pending`: not enough was read to tell. (spec: scoring, traffic)
 */
export type SearchStatus = 'searched' | 'ungraded' | 'unsearched' | 'pending';

/** From this traffic on a term can be searched. (spec: scoring, traffic) */
export const searchedTraffic = 5;

/**
 * Whether people search for a term (spec: scoring, traffic): its traffic is 5 or more, and the store suggests it, or it
 * begins a suggested term, or it stands exactly in a title of the top 5; without a suggestion reading the traffic alone
 * decides. What is not known is `pending`, never `unsearched`: without a result page only a `searched` can be told, which
 * is then `ungraded`.
 * @param traffic as published: rounded
 */
export function searchStatusOf(
  traffic: number | null,
  places: readonly Place[] | null,
  match: SuggestionMatch | null,
): SearchStatus {
  if (traffic === null) return 'pending';
  const isShown =
    match === null || match.kind !== 'absent' || places?.slice(0, 5).some((place) => place.evidence === 1);
  const isSearched = traffic >= searchedTraffic && isShown === true;
  if (places === null) return isSearched ? 'ungraded' : 'pending';
  return isSearched ? 'searched' : 'unsearched';
}

/** Whether people search for it, whether its result page was read or not. */
export function isSearched({ searchStatus }: { searchStatus: SearchStatus }): boolean {
  return searchStatus === 'searched' || searchStatus === 'ungraded';
}
