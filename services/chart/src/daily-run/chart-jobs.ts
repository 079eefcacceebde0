import { type Store, storeNames } from '@shelfwise/facts/store';
import { startOfDay, utcDay } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import { type ChartTaker, dailyReadMs } from '../chart-taker.ts';
import { planAfter } from '../domain/chart-plan.ts';
import { type ChartSnapshot, fillRatings, hasRatings } from '../domain/chart-snapshot.ts';
import { daysBefore } from '../domain/days-before.ts';
import type { ChartSnapshotStore } from '../stores/chart-snapshot-store.ts';
import type { DueChartStore, TakenChart } from '../stores/due-chart-store.ts';

/** A chart that nobody has asked for on the last so many days is not read by itself any more. */
const askedWithinDays = 30;
const chartsAtOnce = 4;
/** Longer than two readings and their saving; a chart of a copy that died is due again after it. */
const leaseMs = 3 * 60_000;
/** Of the sample two days are read, one after the other. */
const longestReadMs = 2 * dailyReadMs;
/** How often other copies may be faster before a claim gives up; the worker soon asks again. */
const claimTries = 3;

/**
 * The daily readings of one store's charts, oldest due first: each that was asked for lately once a UTC day, and again
 * for the ratings when the day's first reading had none.
 */
export function createChartJobs(deps: {
  store: Store;
  dueCharts: DueChartStore;
  snapshots: ChartSnapshotStore;
  chartTaker: ChartTaker;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<TakenChart> {
  const { store, dueCharts, snapshots, chartTaker, now, random } = deps;
  type Call = Parameters<ChartTaker['takeInTurn']>[1];

  /** What waited for its turn for too long may be another copy's before it is read. */
  async function isOurs(chart: TakenChart): Promise<boolean> {
    return now().getTime() + longestReadMs < chart.until.getTime() && (await dueCharts.isHeld(chart));
  }

  /** Ends the readings of a chart that nobody has asked for lately; false when somebody has, also since it was taken. */
  async function retireUnasked(chart: TakenChart): Promise<boolean> {
    const askedBefore = startOfDay(daysBefore(utcDay(now()), askedWithinDays));
    return chart.last_asked_at < askedBefore && (await dueCharts.retire(chart, askedBefore));
  }

  /** Fills in what a reading of the same day shows. False when it has no ratings either. */
  async function readRatings(chart: TakenChart, kept: ChartSnapshot, call: Call): Promise<boolean> {
    const later = await chartTaker.readInTurn(chart, call);
    // Ranks stay those of the day's first reading.
    const rows = fillRatings(kept, later);
    const isFilled = later.day === kept.day && hasRatings({ rows });
    if (isFilled) await snapshots.setRatings(chart._id, kept.day, rows);
    return isFilled;
  }

  /** A try that fails is one of the day's few: released here, the chart is not tried again as one without a snapshot. */
  async function tryRatings(chart: TakenChart, kept: ChartSnapshot, call: Call): Promise<void> {
    const release = (isFilled: boolean) => {
      const known = { day: kept.day, hasRatings: isFilled };
      return dueCharts.release(chart, planAfter(chart._id, known, now(), chart.rating_tries + 1));
    };
    try {
      await release(await readRatings(chart, kept, call));
    } catch (error) {
      // What is given up at a stop is put back.
      if (!call.signal.aborted) await release(false);
      throw error;
    }
  }

  return {
    name: `${storeNames[store]} charts`,
    maxConcurrency: chartsAtOnce,

    async claim(count) {
      for (let tries = 0; tries < claimTries; tries++) {
        const at = now();
        const until = new Date(at.getTime() + leaseMs);
        const { taken, found } = await dueCharts.take(store, { count, now: at, until });
        if (taken.length > 0 || found === 0) return taken;
      }
      return [];
    },

    async run(chart, call) {
      if (!(await isOurs(chart))) return 'skipped';
      if (await retireUnasked(chart)) return 'skipped';
      const kept = await snapshots.find(chart._id, utcDay(now()));
      if (kept && !hasRatings(kept)) {
        await tryRatings(chart, kept, call);
        return 'done';
      }
      const snapshot = kept ?? (await chartTaker.takeInTurn(chart, call));
      const known = { day: snapshot.day, hasRatings: hasRatings(snapshot) };
      await dueCharts.release(chart, planAfter(chart._id, known, now()));
      return kept ? 'skipped' : 'done';
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
