import { startOfNextDay, utcDay } from '../day.ts';
import type { DailyProgress } from './daily-run.ts';
import type { DailyRunMetrics } from './daily-run-metrics.ts';
import type { Sleep } from './sleep.ts';

const lateAfterMs = 3_600_000;
const countEveryMs = 30_000;
/** A pause this many times as long as the count before it: counting takes a twentieth of the time at most. */
const pausePerCount = 20;
/** An upper bound, however long a count took: the machine may have slept meanwhile. */
const longestPauseMs = 10 * 60_000;
/** Numbers older than this are counted again when they are read, if counting is quick. */
const freshMs = 5000;
const quickMs = 100;

/** Counts in the database, by group: how many jobs are planned before or from a moment, or due at it. */
type PlannedCounts<Group> = Record<
  'countPlannedBefore' | 'countPlannedFrom' | 'countDue',
  (group: Group, at: Date) => PromiseLike<number>
>;

/**
 * Counts in the background how far the daily run is with the jobs of one kind, and keeps the numbers for the health page
 * and the metrics, where they are shown by group. It counts by index only.
 */
export function createProgressCounter<Group extends string>(deps: {
  groups: readonly Group[];
  planned: PlannedCounts<Group>;
  metrics: DailyRunMetrics;
  now: () => Date;
  sleep: Sleep;
}) {
  const { groups, planned, metrics, now, sleep } = deps;
  let latest: { at: Date; counts: DailyProgress } | null = null;
  let tookMs = Number.POSITIVE_INFINITY;
  let countNow = () => {};

  async function countOf(group: Group, at: Date): Promise<DailyProgress> {
    const tomorrow = startOfNextDay(at);
    // One after the other: a count of a million rows blocks the embedded database for a while.
    const before = await planned.countPlannedBefore(group, tomorrow);
    const readToday = await planned.countPlannedFrom(group, tomorrow);
    const due = await planned.countDue(group, at);
    const late = await planned.countPlannedBefore(group, new Date(at.getTime() - lateAfterMs));
    metrics.set('readToday', group, readToday);
    metrics.set('due', group, due);
    metrics.set('late', group, late);
    return { all: before + readToday, readToday, due, late };
  }

  async function count(): Promise<void> {
    const at = now();
    const counts: DailyProgress = { all: 0, readToday: 0, due: 0, late: 0 };
    for (const group of groups) {
      const ofGroup = await countOf(group, at);
      for (const what of ['all', 'readToday', 'due', 'late'] as const) counts[what] += ofGroup[what];
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
        const pause = new AbortController();
        countNow = () => pause.abort();
        const pauseMs = Math.min(longestPauseMs, Math.max(countEveryMs, tookMs * pausePerCount));
        await sleep(pauseMs, AbortSignal.any([signal, pause.signal]));
        countNow = () => {};
      }
    },
    /**
     * Of all groups together, and when they were counted on this UTC day; null before the first count. Reading old numbers
     * starts a new count for the next reader.
     */
    latest() {
      const at = now();
      if (latest && tookMs < quickMs && Math.abs(at.getTime() - latest.at.getTime()) >= freshMs) countNow();
      return latest && utcDay(latest.at) === utcDay(at) ? latest : null;
    },
  };
}
