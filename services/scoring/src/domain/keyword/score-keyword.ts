import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { countWords } from '@shelfwise/facts/text/count-words';
import { scoringVersion } from '../scoring-version.ts';
import { brandOf } from './brand.ts';
import { difficultyOf } from './difficulty.ts';
import type { KeywordReading, ResultPage } from './keyword-reading.ts';
import type { GenreCount, KeywordScore } from './keyword-score.ts';
import { isDetailed, type Place, placesOf } from './place.ts';
import { searchStatusOf } from './search-status.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** A keyword in normal form, and what was read for it. */
export type ReadTerm = { storefront: Storefront; keyword: string; reading: KeywordReading };

/**
 * Computes the scores of one keyword from what was read:
 * - a page whose app details were not read yet gives no score
 * - a page of apps whose details were read, but are all unknown, gives no difficulty, and traffic only with suggestions
 * - a page without results gives traffic (0) only together with the suggestions, where the store has them
 * - without a page, a suggestion can still prove that the term is searched (`ungraded`)
 *
 * Traffic is null whenever the search status is `pending`.
 * @param now for the ages of the apps; the same reading and time give the same score
 */
export function scoreKeyword(term: ReadTerm, now: Date): KeywordScore {
  const { page } = term.reading;
  const places = page === null ? null : placesOf(term.keyword, page, term.storefront.lang);
  const isScorable = page === null || isDetailed(page);
  const difficulty = places !== null && isScorable ? difficultyOf(places, now) : null;
  const computed = isScorable ? computeTraffic(term, places) : null;
  const searchStatus = searchStatusOf(
    computed?.score ?? null,
    places,
    term.reading.suggestion?.match ?? null,
  );
  const traffic = searchStatus === 'pending' ? null : computed;
  return {
    scoring_version: scoringVersion,
    scored_at: now,
    difficulty: difficulty?.score ?? null,
    traffic: traffic?.score ?? null,
    difficulty_parts: difficulty?.parts ?? null,
    traffic_parts: traffic?.parts ?? null,
    brand: brandIn(term, page),
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

function computeTraffic({ storefront, keyword, reading }: ReadTerm, places: Place[] | null): Traffic | null {
  const match = reading.suggestion?.match ?? null;
  if (match === null && places?.length === 0 && !hasNoAutocomplete(storefront)) return null;
  return trafficOf({
    places,
    match,
    charted: reading.chart?.charted ?? null,
    words: countWords(keyword, storefront.lang),
  });
}

function brandIn({ keyword, storefront }: ReadTerm, page: ResultPage | null): KeywordScore['brand'] {
  return page === null ? null : brandOf(keyword, page.apps.slice(0, 10), storefront.lang);
}
