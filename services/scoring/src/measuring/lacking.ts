import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { KeywordReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { weekMs } from '../domain/week.ts';
import type { MeasureNeed } from './measurer.ts';

/** What of a reading is missing, or too old for a need. */
export type Lacking = { page: boolean; details: boolean; suggestion: boolean };

/** What says how old a reading is; a whole one fits. */
export type ReadingAges = {
  page: Pick<ResultPage, 'day' | 'read_at' | 'details_read_at'> | null;
  suggestion: Pick<NonNullable<KeywordReading['suggestion']>, 'read_at'> | null;
};

/** A chart goes with its page: it is read again when the page is. */
export function lackingOf(
  { page, suggestion }: ReadingAges,
  need: Pick<MeasureNeed, 'page'>,
  now: Date,
): Lacking {
  const isOlder = (moment: Date | null | undefined) =>
    moment == null || moment.getTime() <= now.getTime() - weekMs;
  return {
    page: need.page === 'today' ? page === null || page.day < utcDay(now) : isOlder(page?.read_at),
    details: isOlder(page?.details_read_at),
    suggestion: isOlder(suggestion?.read_at),
  };
}

export function lacksAny({ page, details, suggestion }: Lacking): boolean {
  return page || details || suggestion;
}

/**
 * Nothing of a term is to be read, nor its scores to be made again. Suggestions that no store can be asked for are not
 * waited for; those of the sample, which are there, grow old as everywhere.
 */
export function isSettled(
  { reading, score }: { reading: ReadingAges; score: { scoring_version: number } },
  storefront: Storefront,
  need: Pick<MeasureNeed, 'page'>,
  now: Date,
): boolean {
  const { page, details, suggestion } = lackingOf(reading, need, now);
  const isToBeSuggested = suggestion && !(reading.suggestion === null && hasNoAutocomplete(storefront));
  return score.scoring_version === scoringVersion && !page && !details && !isToBeSuggested;
}

/** The oldest of the readings that stand in for newer ones; null when none does. */
export function staleSinceOf({ page, suggestion }: KeywordReading, lacking: Lacking): Date | null {
  const stale = [
    lacking.page ? page?.read_at : null,
    lacking.details ? page?.details_read_at : null,
    lacking.suggestion ? suggestion?.read_at : null,
  ].filter((moment) => moment != null);
  return stale.length > 0 ? new Date(Math.min(...stale.map((moment) => moment.getTime()))) : null;
}
