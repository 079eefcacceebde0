import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { daysBefore, startOfDay, utcDay } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { type ChartPlan, planAfter } from '../domain/chart-plan.ts';
import { type ChartSnapshot, fillRatings, hasRatings } from '../domain/chart-snapshot.ts';
import { dailyReadMs, type ReadChart } from '../read-chart.ts';
import type { ChartSnapshotStore } from '../stores/chart-snapshot-store.ts';
import type { ClaimedChart, DueChartStore } from '../stores/due-chart-store.ts';
import type { TakeChartSnapshot } from '../take-chart-snapshot.ts';

/** The daily run drops a chart that was not requested for this many days. */
const requestedWithinDays = 30;
const maxConcurrency = 4;
/** Longer than `longestReadMs` and saving. If a copy crashes, its charts are due again after this time. */
const claimMs = 3 * 60_000;
/** The time limit of one job: on the sample it may read two days, one after the other. */
const longestReadMs = 2 * dailyReadMs;

/**
 * The daily reads of one store's charts, the ones due longest first. Each recently requested chart is read once a UTC
 * day, and up to three times more on that day while its ratings are missing.
 */
export function createChartJobs(deps: {
  store: Store;
  queue: DueChartStore['queue'];
  snapshots: Pick<ChartSnapshotStore, 'find' | 'setRatings'>;
  readChart: ReadChart;
  takeForDailyRun: TakeChartSnapshot['takeForDailyRun'];
  now: () => Date;
  /** A random number from 0 to 1. */
  random: () => number;
}): JobSource<ClaimedChart> {
  const { store, queue, snapshots, readChart, takeForDailyRun, now, random } = deps;
  type Call = Parameters<typeof takeForDailyRun>[1];

  /** False when the claim is lost, or may expire during the read because the chart waited too long in this process. */
  async function isStillClaimed(chart: ClaimedChart): Promise<boolean> {
    const isLongEnough = now().getTime() + longestReadMs < chart.expiresAt.getTime();
    return isLongEnough && (await queue.findClaimed(chart, { _id: 1 })) !== null;
  }

  const complete = (chart: ClaimedChart, plan: ChartPlan) => queue.complete(chart, plan.due_at, plan);

  /**
   * Ends the daily reads of a chart that was not requested recently. Returns false when it was, even if the request
   * came after the claim.
   */
  async function dropUnrequested(chart: ClaimedChart): Promise<boolean> {
    const requestedBefore = startOfDay(daysBefore(utcDay(now()), requestedWithinDays));
    if (chart.last_requested_at >= requestedBefore) return false;
    const where = { last_requested_at: { $lt: requestedBefore } };
    return queue.drop(chart, { where, unset: ['planned_at', 'failures', 'rating_tries'] });
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
    const completeTry = (isFilled: boolean) => {
      const today = { day: stored.day, hasRatings: isFilled };
      return complete(chart, planAfter(chart._id, today, now(), chart.rating_tries + 1));
    };
    try {
      await completeTry(await readRatings(chart, stored, call));
    } catch (error) {
      // A read that a stop aborted is no attempt: the worker requeues it.
      if (!call.signal.aborted) await completeTry(false);
      throw error;
    }
  }

  return {
    name: `${storeNames[store]} charts`,
    maxConcurrency,
    isAwaited: false,

    claim: (count) =>
      queue.claim(() => queue.listDue({ store }, now(), count), new Date(now().getTime() + claimMs)),

    async run(chart, call) {
      if (!(await isStillClaimed(chart))) return 'skipped';
      if (await dropUnrequested(chart)) return 'skipped';
      const stored = await snapshots.find(chart._id, utcDay(now()));
      if (stored && !hasRatings(stored)) {
        await tryRatings(chart, stored, call);
        return 'done';
      }
      const snapshot = stored ?? (await takeForDailyRun(chart, call));
      const today = { day: snapshot.day, hasRatings: hasRatings(snapshot) };
      await complete(chart, planAfter(chart._id, today, now()));
      return stored ? 'skipped' : 'done';
    },

    async fail(chart, isToBlame) {
      await queue.fail(chart, isToBlame, { at: now(), random });
    },

    partsOf: (chart) => [chart],

    nextDueAt: () => queue.nextDueAt([{ store }]),

    readBacklog: () => queue.readBacklog([{ store }], now()),

    requeue: (charts) => queue.requeue(charts),
  };
}
