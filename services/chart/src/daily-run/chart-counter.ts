import { type Store, stores } from '@shelfwise/facts/store';
import { startOfNextDay } from '@shelfwise/runtime/day';
import type { DailyProgress } from '@shelfwise/runtime/lanes/daily-run';
import type { Sleep } from '@shelfwise/runtime/lanes/sleep';
import type { DueChartStore } from '../stores/due-chart-store.ts';
import type { DailyRunMetrics } from './daily-run-metrics.ts';

const lateAfterMs = 3_600_000;
const countEveryMs = 30_000;

/** Counts by index: there are some thousands of charts at most. */
export function createChartCounter(deps: {
  dueCharts: Pick<DueChartStore, 'countPlannedBefore' | 'countPlannedFrom' | 'countDue'>;
  metrics: DailyRunMetrics;
  now: () => Date;
  sleep: Sleep;
}) {
  const { dueCharts, metrics, now, sleep } = deps;

  async function countOf(store: Store, at: Date): Promise<DailyProgress> {
    const tomorrow = startOfNextDay(at);
    const [unread, readToday, due, late] = await Promise.all([
      dueCharts.countPlannedBefore(store, tomorrow),
      dueCharts.countPlannedFrom(store, tomorrow),
      dueCharts.countDue(store, at),
      dueCharts.countPlannedBefore(store, new Date(at.getTime() - lateAfterMs)),
    ]);
    metrics.readToday.set({ store }, readToday);
    metrics.due.set({ store }, due);
    metrics.late.set({ store }, late);
    return { all: unread + readToday, readToday, due, late };
  }

  /** Of both stores together, as it is now; the metrics show it too. */
  async function count(): Promise<DailyProgress> {
    const at = now();
    const counted = await Promise.all(stores.map((store) => countOf(store, at)));
    const sum = (what: keyof DailyProgress) => counted.reduce((total, counts) => total + counts[what], 0);
    return { all: sum('all'), readToday: sum('readToday'), due: sum('due'), late: sum('late') };
  }

  return {
    count,
    /** Counts for the metrics until the signal fires. A database that is away leaves the last numbers as they are. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await count().catch(() => {});
        await sleep(countEveryMs, signal);
      }
    },
  };
}
