import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { startOfDay, utcDay } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import { planAfter } from '../domain/chart-plan.ts';
import { type ChartSnapshot, daysBefore, fillRatings, hasRatings } from '../domain/chart-snapshot.ts';
import { dailyReadMs, type ReadChart } from '../read-chart.ts';
import type { ChartSnapshotStore } from '../stores/chart-snapshot-store.ts';
import type { ClaimedChart, DueChartStore } from '../stores/due-chart-store.ts';
import type { TakeChartSnapshot } from '../take-chart-snapshot.ts';

/** A chart that was not requested for this many days is not read by itself any more. */
const requestedWithinDays = 30;
const maxConcurrency = 4;
/** Longer than two reads and saving them; a chart of a copy that died is due again after it. */
const leaseMs = 3 * 60_000;
/** Of the sample two days are read, one after the other. */
const longestReadMs = 2 * dailyReadMs;
/** How often other copies may be faster before a claim gives up; the worker soon asks again. */
const claimAttempts = 3;

/**
 * The daily reads of one store's charts, oldest due first: each that was requested lately once a UTC day, and again
 * for the ratings when the day's first read had none.
 */
export function createChartJobs(deps: {
  store: Store;
  dueCharts: Pick<DueChartStore, 'claim' | 'isLeased' | 'release' | 'retire'>;
  snapshots: Pick<ChartSnapshotStore, 'find' | 'setRatings'>;
  readChart: ReadChart;
  takeForDailyRun: TakeChartSnapshot['takeForDailyRun'];
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<ClaimedChart> {
  const { store, dueCharts, snapshots, readChart, takeForDailyRun, now, random } = deps;
  type Call = Parameters<typeof takeForDailyRun>[1];

  /** A chart that waited too long for its read may belong to another copy by then. */
  async function isStillOurs(chart: ClaimedChart): Promise<boolean> {
    return now().getTime() + longestReadMs < chart.leasedUntil.getTime() && (await dueCharts.isLeased(chart));
  }

  /** Ends the daily reads of a chart that was not requested lately; false when it was, also since it was claimed. */
  async function retireUnrequested(chart: ClaimedChart): Promise<boolean> {
    const requestedBefore = startOfDay(daysBefore(utcDay(now()), requestedWithinDays));
    return chart.last_requested_at < requestedBefore && (await dueCharts.retire(chart, requestedBefore));
  }

  /** Fills in the ratings of a read of the same day. False when it has none either. */
  async function readRatings(chart: ClaimedChart, stored: ChartSnapshot, call: Call): Promise<boolean> {
    const later = await readChart(chart, { ...call, ms: dailyReadMs, isForDailyRun: true });
    // Ranks stay those of the day's first read.
    const rows = fillRatings(stored, later);
    const isFilled = later.day === stored.day && hasRatings({ rows });
    if (isFilled) await snapshots.setRatings(chart._id, stored.day, rows);
    return isFilled;
  }

  /** A failed attempt is one of the day's few: released here, the chart is not retried as one without a snapshot. */
  async function tryRatings(chart: ClaimedChart, stored: ChartSnapshot, call: Call): Promise<void> {
    const release = (isFilled: boolean) => {
      const known = { day: stored.day, hasRatings: isFilled };
      return dueCharts.release(chart, planAfter(chart._id, known, now(), chart.rating_tries + 1));
    };
    try {
      await release(await readRatings(chart, stored, call));
    } catch (error) {
      // What is aborted at a stop is requeued.
      if (!call.signal.aborted) await release(false);
      throw error;
    }
  }

  return {
    name: `${storeNames[store]} charts`,
    maxConcurrency,

    async claim(count) {
      for (let attempt = 0; attempt < claimAttempts; attempt++) {
        const at = now();
        const until = new Date(at.getTime() + leaseMs);
        const { claimed, found } = await dueCharts.claim(store, { count, now: at, until });
        if (claimed.length > 0 || found === 0) return claimed;
      }
      return [];
    },

    async run(chart, call) {
      if (!(await isStillOurs(chart))) return 'skipped';
      if (await retireUnrequested(chart)) return 'skipped';
      const stored = await snapshots.find(chart._id, utcDay(now()));
      if (stored && !hasRatings(stored)) {
        await tryRatings(chart, stored, call);
        return 'done';
      }
      const snapshot = stored ?? (await takeForDailyRun(chart, call));
      const known = { day: snapshot.day, hasRatings: hasRatings(snapshot) };
      await dueCharts.release(chart, planAfter(chart._id, known, now()));
      return stored ? 'skipped' : 'done';
    },

    async fail(chart, isToBlame) {
      const failures = chart.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), isToBlame ? failures : 1, random);
      await dueCharts.release(chart, { due_at: dueAt, failures });
    },

    async requeue(charts) {
      for (const chart of charts) await dueCharts.release(chart, { due_at: chart.wasDueAt });
    },
  };
}
