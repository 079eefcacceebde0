import { type Store, stores } from '@shelfwise/facts/store';
import { utcDay } from '../domain/day.ts';
import type { DueMarketStore } from '../stores/due-market-store.ts';
import type { DailyRunMetrics } from './daily-run-metrics.ts';
import type { Sleep } from './sleep.ts';

const lateAfterMs = 3_600_000;
const dayMs = 86_400_000;
const countEveryMs = 30_000;
/** Counting takes a twentieth of the time at most. */
const restPerCounting = 20;

/** How a store's tracked markets stand. */
export type MarketCounts = {
  tracked: number;
  /** Those that have a snapshot of today. */
  readToday: number;
  /** Those that are due at this moment. */
  due: number;
  /** Those that were planned more than an hour ago and are not read yet. */
  late: number;
};

export type MarketCounter = ReturnType<typeof createMarketCounter>;

/** Counts by index, in the background, and keeps the numbers for the health page and the metrics. */
export function createMarketCounter(deps: {
  dueMarkets: DueMarketStore;
  metrics: DailyRunMetrics;
  now: () => Date;
  sleep: Sleep;
}) {
  const { dueMarkets, metrics, now, sleep } = deps;
  let latest: { at: Date; counts: MarketCounts } | null = null;

  async function countOf(store: Store, at: Date): Promise<MarketCounts> {
    const tomorrow = new Date(Date.parse(utcDay(at)) + dayMs);
    // One after the other: a count of a million keeps the embedded database from all else for a while.
    const before = await dueMarkets.countPlannedBefore(store, tomorrow);
    const readToday = await dueMarkets.countPlannedFrom(store, tomorrow);
    const due = await dueMarkets.countDue(store, at);
    const late = await dueMarkets.countPlannedBefore(store, new Date(at.getTime() - lateAfterMs));
    metrics.readToday.set({ store }, readToday);
    metrics.due.set({ store }, due);
    metrics.late.set({ store }, late);
    return { tracked: before + readToday, readToday, due, late };
  }

  async function count(): Promise<void> {
    const at = now();
    const counts: MarketCounts = { tracked: 0, readToday: 0, due: 0, late: 0 };
    for (const store of stores) {
      const ofStore = await countOf(store, at);
      for (const what of ['tracked', 'readToday', 'due', 'late'] as const) counts[what] += ofStore[what];
    }
    latest = { at, counts };
  }

  return {
    /** Counts until the signal fires. A database that is away leaves the last numbers as they are. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const startedAt = now().getTime();
        await count().catch(() => {});
        const tookMs = now().getTime() - startedAt;
        await sleep(Math.max(countEveryMs, tookMs * restPerCounting), signal);
      }
    },
    /** Of both stores together, and when they were counted; null before the first time. */
    latest: () => latest,
  };
}
