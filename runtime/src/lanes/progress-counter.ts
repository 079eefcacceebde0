import { type Store, stores } from '@shelfwise/facts/store';
import { startOfNextDay, utcDay } from '../day.ts';
import type { DailyProgress } from './daily-run.ts';
import type { DailyRunMetrics } from './daily-run-metrics.ts';
import type { Sleep } from './sleep.ts';

const lateAfterMs = 3_600_000;
const countEveryMs = 30_000;
/** Counting takes a twentieth of the time at most. */
const restPerCounting = 20;
/** However long a counting took: a machine that slept meanwhile must not be believed. */
const longestRestMs = 10 * 60_000;
/** Numbers so old are counted again when somebody looks, if counting is quick. */
const freshMs = 5000;
const quickMs = 100;

/** What it asks the database: how many pieces of a store's work are planned or due by a moment. */
type CountsPlanned = Record<
  'countPlannedBefore' | 'countPlannedFrom' | 'countDue',
  (store: Store, at: Date) => PromiseLike<number>
>;

/**
 * Counts how far the daily run of one kind of work is, in the background, and keeps the numbers for the health page and
 * the metrics. It counts by index only.
 */
export function createProgressCounter(deps: {
  planned: CountsPlanned;
  metrics: DailyRunMetrics;
  now: () => Date;
  sleep: Sleep;
}) {
  const { planned, metrics, now, sleep } = deps;
  let latest: { at: Date; counts: DailyProgress } | null = null;
  let tookMs = Number.POSITIVE_INFINITY;
  let countNow = () => {};

  async function countOf(store: Store, at: Date): Promise<DailyProgress> {
    const tomorrow = startOfNextDay(at);
    // One after the other: a count of a million keeps the embedded database from all else for a while.
    const before = await planned.countPlannedBefore(store, tomorrow);
    const readToday = await planned.countPlannedFrom(store, tomorrow);
    const due = await planned.countDue(store, at);
    const late = await planned.countPlannedBefore(store, new Date(at.getTime() - lateAfterMs));
    metrics.readToday.set({ store }, readToday);
    metrics.due.set({ store }, due);
    metrics.late.set({ store }, late);
    return { all: before + readToday, readToday, due, late };
  }

  async function count(): Promise<void> {
    const at = now();
    const counts: DailyProgress = { all: 0, readToday: 0, due: 0, late: 0 };
    for (const store of stores) {
      const ofStore = await countOf(store, at);
      for (const what of ['all', 'readToday', 'due', 'late'] as const) counts[what] += ofStore[what];
    }
    latest = { at, counts };
  }

  return {
    /** Counts until the signal fires. A database that is away leaves the last numbers as they are. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const startedAt = performance.now();
        await count().catch(() => {});
        tookMs = performance.now() - startedAt;
        const rest = new AbortController();
        countNow = () => rest.abort();
        const restMs = Math.min(longestRestMs, Math.max(countEveryMs, tookMs * restPerCounting));
        await sleep(restMs, AbortSignal.any([signal, rest.signal]));
        countNow = () => {};
      }
    },
    /**
     * Of both stores together, and when they were counted on this UTC day; null before the first time. Old numbers are
     * counted again for whoever looks next.
     */
    latest() {
      const at = now();
      if (latest && tookMs < quickMs && Math.abs(at.getTime() - latest.at.getTime()) >= freshMs) countNow();
      return latest && utcDay(latest.at) === utcDay(at) ? latest : null;
    },
  };
}
