import { dayMs } from '@shelfwise/runtime/day';
import { retryAt, retryDelayMs } from '@shelfwise/runtime/jobs/retry-delay';
import { secondLookAt } from '../domain/keyword/empty-looks.ts';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import {
  isAhead,
  isPublicPageDue,
  nextDailyAt,
  nextMeasuringAt,
  type PublicPlan,
} from '../domain/term-schedule.ts';
import type { Term } from '../stores/term.ts';
import type { TermDocument } from '../stores/term-schema.ts';
import { isSuspect } from './doubted-page.ts';
import type { MeasureNeed } from './measurer.ts';
import { findNeededParts, isIncomplete } from './missing-parts.ts';

const minuteMs = 60_000;
/**
 * Short however often it has failed, so that suggestions are read within six minutes after the store gives them again. Two of
 * these are for an open breaker and the wait for call slots. While the breaker is open, or the storefront throttles, a retry
 * costs no store call.
 */
const suggestionDelays = { firstMs: 2 * minuteMs, longestMs: 4 * minuteMs };
/** Up to this long after a second look is possible, so that terms that were read together are not read together again. */
const secondLookSpreadMs = minuteMs;
/** How long a term without a request is measured until its suggestions are known. */
const partialRequestMs = dayMs;

type ScheduledTerm = Pick<
  TermDocument,
  '_id' | 'is_tracked' | 'requested_until' | 'daily_until' | 'failures'
>;

/** How new a term's page must be when the daily run measures it. */
export function pageNeedOf(
  term: Pick<TermDocument, 'is_tracked' | 'daily_until'> & PublicPlan,
  now: Date,
): MeasureNeed['page'] {
  const isDaily = term.is_tracked || isAhead(term.daily_until, now);
  return isDaily || isPublicPageDue(term, now) ? 'today' : 'week';
}

/** `requestedUntil`: until when the term is requested from now on; absent: as before. */
export type NextMeasuring = { dueAt: Date | null; failures: number; requestedUntil?: Date };

/**
 * When a term is due next after a measurement. Null leaves the schedule unchanged: the daily run needs a page of today, and
 * this measurement did not read one. A term that misses only its suggestions is due for the second look at an empty list, or
 * within minutes. For a day it needs no request: a user has just seen its partial traffic. A public page that is due and could not
 * be replaced is tried again as after a failure; on the next day, if the one that was read is suspect.
 * @param before as it was scheduled until now
 * @param measured as it is stored
 * @param random returns a number from 0 to 1
 */
export function planNext(
  before: ScheduledTerm,
  measured: Term,
  { now, random }: { now: Date; random: () => number },
): NextMeasuring | null {
  const { reading, public_until = null, public_page = null } = measured;
  const term = { ...before, public_until, public_page };
  const page = pageNeedOf(term, now);
  const missingParts = findNeededParts(reading, measured, { page }, now);
  if (page === 'today' && missingParts.page) return null;
  const isOnlySuggestion = missingParts.suggestion && !missingParts.page && !missingParts.details;
  const isRequested = term.is_tracked || isAhead(term.requested_until, now) || isAhead(term.daily_until, now);
  if (!isRequested && !isOnlySuggestion) return { dueAt: null, failures: 0 };
  if (!isIncomplete(missingParts) && reading.page) {
    // Otherwise the measurement could not replace a public page: the term would be due again and again.
    if (!isPublicPageDue(term, now)) return { dueAt: nextMeasuringAt(term, reading.page, now), failures: 0 };
    if (isSuspect(reading.page, measured.ranking))
      return { dueAt: nextDailyAt(term, reading.page.day), failures: 0 };
  }
  const next = isOnlySuggestion
    ? planSuggestion(term, reading, now, random)
    : { dueAt: retryAt(now, term.failures + 1, random), failures: term.failures + 1 };
  return isRequested ? next : { ...next, requestedUntil: new Date(now.getTime() + partialRequestMs) };
}

/** A first look is no failure: the term stays before those that have failed. */
function planSuggestion(
  { failures }: ScheduledTerm,
  reading: KeywordReading,
  now: Date,
  random: () => number,
): NextMeasuring {
  const lookAt = secondLookAt(reading.empty_looks, now);
  if (lookAt !== null && lookAt > now)
    return { dueAt: new Date(lookAt.getTime() + random() * secondLookSpreadMs), failures: 0 };
  const delayMs = retryDelayMs(failures + 1, random, suggestionDelays);
  return { dueAt: new Date(now.getTime() + delayMs), failures: failures + 1 };
}
