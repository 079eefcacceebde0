import type { Sleep } from '../concurrency/sleep.ts';
import { withAnySignal } from '../concurrency/with-any-signal.ts';
import { startOfNextDay, utcDay } from '../day.ts';
import type { DailyProgress } from './daily-run.ts';
import type { DailyRunMetrics } from './daily-run-metrics.ts';

const lateAfterMs = 3_600_000;
const countEveryMs = 30_000;
/**
 * A pause is at least this many times as long as the count before it, so that counting takes at most 5% of the time.
 */
const pausePerCount = 20;
/** Bounds the pause, because a count during which the machine slept appears to take hours. */
const longestPauseMs = 10 * 60_000;
/** A count that is newer is not repeated when it is read. */
const freshMs = 5000;
/** Counting is quick when the last count took less. */
const quickMs = 100;

/**
 * Database counts per group: jobs planned before a given time, from that time on, or due at that time. A job that has
 * run is planned for a time on the next UTC day. A retry changes when the job is due, but not its planned time.
 */
type PlannedCounts<Group> = Record<
  'countPlannedBefore' | 'countPlannedFrom' | 'countDue',
  (group: Group, at: Date) => PromiseLike<number>
>;

/**
 * Counts the progress of one kind of job in the background. The latest total is for the health page, and the counts per
 * group are for the metrics. The queries only use indexes.
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
  /** How long the last count took. */
  let tookMs = Number.POSITIVE_INFINITY;
  /** Ends the pause between two counts. */
  let countNow = () => {};

  async function countOf(group: Group, at: Date): Promise<DailyProgress> {
    const tomorrow = startOfNextDay(at);
    // Sequential, because a count of a million rows blocks the embedded database for a while.
    const notReadToday = await planned.countPlannedBefore(group, tomorrow);
    const readToday = await planned.countPlannedFrom(group, tomorrow);
    const due = await planned.countDue(group, at);
    const late = await planned.countPlannedBefore(group, new Date(at.getTime() - lateAfterMs));
    metrics.set('readToday', group, readToday);
    metrics.set('due', group, due);
    metrics.set('late', group, late);
    return { all: notReadToday + readToday, readToday, due, late };
  }

  async function count(): Promise<void> {
    const at = now();
    const counts: DailyProgress = { all: 0, readToday: 0, due: 0, late: 0 };
    for (const group of groups) {
      const ofGroup = await countOf(group, at);
      for (const field of ['all', 'readToday', 'due', 'late'] as const) counts[field] += ofGroup[field];
    }
    latest = { at, counts };
  }

  return {
    /** Counts until the signal fires. While the database is unavailable, the last count stays. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const startedAt = performance.now();
        await count().catch(() => {});
        tookMs = performance.now() - startedAt;
        const pause = new AbortController();
        countNow = () => pause.abort();
        const pauseMs = Math.min(longestPauseMs, Math.max(countEveryMs, tookMs * pausePerCount));
        await withAnySignal([signal, pause.signal], (either) => sleep(pauseMs, either));
        countNow = () => {};
      }
    },
    /**
     * The total over all groups and the time of the count; null before the first count of this UTC day. If the
     * count is at least 5 seconds old and counting is quick, this starts a new one for the next reader.
     */
    latest() {
      const at = now();
      if (latest && tookMs < quickMs && Math.abs(at.getTime() - latest.at.getTime()) >= freshMs) countNow();
      return latest && utcDay(latest.at) === utcDay(at) ? latest : null;
    },
  };
}
