import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import { isAhead, nextMeasuring } from '../domain/next-measuring.ts';
import type { KeptTerm } from '../stores/term-store.ts';
import { lackingOf, lacksAny } from './lacking.ts';
import type { MeasureNeed } from './measurer.ts';

const hourMs = 3_600_000;
/** The App Store of some countries cannot be asked for suggestions at all: their terms must not fill the day. */
const suggestionRetryMs = { first: 2 * hourMs, longest: 24 * hourMs };

type Demanded = Pick<KeptTerm, '_id' | 'is_tracked' | 'wanted_until' | 'daily_until' | 'failures'>;

/** How new a page a term needs that is measured by itself. */
export function pageNeedOf(
  term: Pick<KeptTerm, 'is_tracked' | 'daily_until'>,
  now: Date,
): MeasureNeed['page'] {
  return term.is_tracked || isAhead(term.daily_until, now) ? 'today' : 'week';
}

/**
 * When a term is measured next after a measuring; null: as before, because somebody needed less of it than it does by
 * itself.
 * @param random gives 0 to 1
 */
export function planNext(
  term: Demanded,
  reading: KeywordReading,
  { now, random }: { now: Date; random: () => number },
): { dueAt: Date | null; failures: number } | null {
  const page = pageNeedOf(term, now);
  const lacking = lackingOf(reading, { page }, now);
  if (page === 'today' && lacking.page) return null;
  if (!term.is_tracked && !isAhead(term.wanted_until, now) && !isAhead(term.daily_until, now))
    return { dueAt: null, failures: 0 };
  if (!lacksAny(lacking) && reading.page)
    return { dueAt: nextMeasuring(term, reading.page, now), failures: 0 };
  const failures = term.failures + 1;
  const isOnlySuggestion = !lacking.page && !lacking.details;
  return {
    dueAt: isOnlySuggestion ? suggestionRetryAt(now, failures, random) : retryAt(now, failures, random),
    failures,
  };
}

function suggestionRetryAt(now: Date, failures: number, random: () => number): Date {
  const { first, longest } = suggestionRetryMs;
  const delay = Math.min(first * 2 ** (failures - 1), longest);
  return new Date(now.getTime() + delay * (1 - 0.2 * random()));
}
