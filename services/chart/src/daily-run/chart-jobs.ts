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

/** The daily run drops a chart that was not requested for this many days. */
const requestedWithinDays = 30;
const maxConcurrency = 4;
/** Longer than `longestReadMs` and saving. If a copy crashes, its charts are due again after this time. */
const leaseMs = 3 * 60_000;
/** The time limit of one job: on the sample it may read two days, one after the other. */
const longestReadMs = 2 * dailyReadMs;
/** How often a claim is tried when other copies claim all found charts first; the worker soon claims again. */
const claimAttempts = 3;

/**
 * The daily reads of one store's charts, the ones due longest first. Each recently requested chart is read once a UTC
 * day, and up to three times more on that day while its ratings are missing.
 */
export function createChartJobs(deps: {
  store: Store;
  dueCharts: Pick<DueChartStore, 'claim' | 'isLeased' | 'release' | 'retire'>;
  snapshots: Pick<ChartSnapshotStore, 'find' | 'setRatings'>;
  readChart: ReadChart;
  takeForDailyRun: TakeChartSnapshot['takeForDailyRun'];
  now: () => Date;
  /** A random number from 0 to 1. */
  random: () => number;
}): JobSource<ClaimedChart> {
  const { store, dueCharts, snapshots, readChart, takeForDailyRun, now, random } = deps;
  type Call = Parameters<typeof takeForDailyRun>[1];

  /** False when the lease is lost, or may end during the read because the chart waited too long in this process. */
  async function isStillOurs(chart: ClaimedChart): Promise<boolean> {
    return now().getTime() + longestReadMs < chart.leasedUntil.getTime() && (await dueCharts.isLeased(chart));
  }

  /**
   * Ends the daily reads of a chart that was not requested recently. Returns false when it was, even if the request
   * came after the claim.
   */
  async function retireUnrequested(chart: ClaimedChart): Promise<boolean> {
    const requestedBefore = startOfDay(daysBefore(utcDay(now()), requestedWithinDays));
    return chart.last_requested_at < requestedBefore && (await dueCharts.retire(chart, requestedBefore));
  }

  /**
   * Reads the chart again to fill in the missing ratings of today's snapshot. Returns false when the read has none
   * either, or is of another day.
   */
  async function readRatings(chart: ClaimedChart, stored: ChartSnapshot, call: Call): Promise<boolean> {
    const reread = await readChart(chart, { ...call, ms: dailyReadMs, isForDailyRun: true });
    // Only ratings change; ranks stay as first read that day.
    const rows = fillRatings(stored, reread);
    const isFilled = reread.day === stored.day && hasRatings({ rows });
    if (isFilled) await snapshots.setRatings(chart._id, stored.day, rows);
    return isFilled;
  }

  /**
   * Makes one of the day's attempts to read missing ratings, and plans the next one. A failed attempt counts too: it
   * ends the claim before it throws, so that `fail` changes nothing. Otherwise `fail` would retry it after a minute,
   * without counting it.
   */
  async function tryRatings(chart: ClaimedChart, stored: ChartSnapshot, call: Call): Promise<void> {
    const release = (isFilled: boolean) => {
      const today = { day: stored.day, hasRatings: isFilled };
      return dueCharts.release(chart, planAfter(chart._id, today, now(), chart.rating_tries + 1));
    };
    try {
      await release(await readRatings(chart, stored, call));
    } catch (error) {
      // A read that a stop aborted is no attempt: the worker requeues it.
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
      const today = { day: snapshot.day, hasRatings: hasRatings(snapshot) };
      await dueCharts.release(chart, planAfter(chart._id, today, now()));
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
