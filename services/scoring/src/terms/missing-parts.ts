import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { KeywordReading, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { weekMs } from '../domain/term-schedule.ts';
import type { MeasureNeed } from './measurer.ts';

/** Which parts of a reading are missing, or too old for a need. */
export type MissingParts = { page: boolean; details: boolean; suggestion: boolean };

export type ReadingAges = {
  page: Pick<ResultPage, 'day' | 'read_at' | 'details_read_at'> | null;
  suggestion: Pick<NonNullable<KeywordReading['suggestion']>, 'read_at'> | null;
};

/**
 * The page must be as new as the need says, details and suggestions less than a week old. A chart has no age of its
 * own: it is read again with its page.
 */
export function findMissingParts(
  { page, suggestion }: ReadingAges,
  need: Pick<MeasureNeed, 'page'>,
  now: Date,
): MissingParts {
  const isOutdated = (moment: Date | null | undefined) =>
    moment == null || moment.getTime() <= now.getTime() - weekMs;
  return {
    page: need.page === 'today' ? page === null || page.day < utcDay(now) : isOutdated(page?.read_at),
    details: isOutdated(page?.details_read_at),
    suggestion: isOutdated(suggestion?.read_at),
  };
}

/**
 * As `findMissingParts`; but a storefront without autocomplete needs no suggestions. Those that the sample catalog has
 * for it become too old like all others.
 */
export function findNeededParts(
  reading: ReadingAges,
  storefront: Storefront,
  need: Pick<MeasureNeed, 'page'>,
  now: Date,
): MissingParts {
  const missingParts = findMissingParts(reading, need, now);
  const hasSuggestion = reading.suggestion !== null || !hasNoAutocomplete(storefront);
  return { ...missingParts, suggestion: missingParts.suggestion && hasSuggestion };
}

export function isIncomplete({ page, details, suggestion }: MissingParts): boolean {
  return page || details || suggestion;
}

/** Whether no needed part of a term is missing or too old, and its scores are of the current version. */
export function isUpToDate(
  { reading, score }: { reading: ReadingAges; score: { scoring_version: number } },
  storefront: Storefront,
  need: Pick<MeasureNeed, 'page'>,
  now: Date,
): boolean {
  const missingParts = findNeededParts(reading, storefront, need, now);
  return score.scoring_version === scoringVersion && !isIncomplete(missingParts);
}

/** The time of the oldest outdated reading in use; null when there is none. */
export function staleSinceOf({ page, suggestion }: KeywordReading, missingParts: MissingParts): Date | null {
  const stale = [
    missingParts.page ? page?.read_at : null,
    missingParts.details ? page?.details_read_at : null,
    missingParts.suggestion ? suggestion?.read_at : null,
  ].filter((moment) => moment != null);
  return stale.length > 0 ? new Date(Math.min(...stale.map((moment) => moment.getTime()))) : null;
}
