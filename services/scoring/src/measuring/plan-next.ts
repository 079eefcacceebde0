import { retryAt, retryDelayMs } from '@shelfwise/runtime/jobs/retry-delay';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import { isAhead, nextMeasuringAt } from '../domain/term-schedule.ts';
import type { TermDocument } from '../stores/term-store.ts';
import type { MeasureNeed } from './measurer.ts';
import { findMissingParts, isIncomplete } from './missing-parts.ts';

const hourMs = 3_600_000;
/** The App Store of some countries offers no suggestions: retries for their terms must not fill the day. */
const suggestionDelays = { firstMs: 2 * hourMs, longestMs: 24 * hourMs };

type ScheduledTerm = Pick<
  TermDocument,
  '_id' | 'is_tracked' | 'requested_until' | 'daily_until' | 'failures'
>;

/** How new a term's page must be when the daily run measures it. */
export function pageNeedOf(
  term: Pick<TermDocument, 'is_tracked' | 'daily_until'>,
  now: Date,
): MeasureNeed['page'] {
  return term.is_tracked || isAhead(term.daily_until, now) ? 'today' : 'week';
}

/**
 * When a term is due next after a measurement. Null leaves the schedule unchanged: the daily run needs a page of
 * today, and this measurement did not read one.
 * @param random returns a number from 0 to 1
 */
export function planNext(
  term: ScheduledTerm,
  reading: KeywordReading,
  { now, random }: { now: Date; random: () => number },
): { dueAt: Date | null; failures: number } | null {
  const page = pageNeedOf(term, now);
  const missingParts = findMissingParts(reading, { page }, now);
  if (page === 'today' && missingParts.page) return null;
  if (!term.is_tracked && !isAhead(term.requested_until, now) && !isAhead(term.daily_until, now))
    return { dueAt: null, failures: 0 };
  if (!isIncomplete(missingParts) && reading.page)
    return { dueAt: nextMeasuringAt(term, reading.page, now), failures: 0 };
  const failures = term.failures + 1;
  const isOnlySuggestion = !missingParts.page && !missingParts.details;
  return {
    dueAt: isOnlySuggestion
      ? new Date(now.getTime() + retryDelayMs(failures, random, suggestionDelays))
      : retryAt(now, failures, random),
    failures,
  };
}
