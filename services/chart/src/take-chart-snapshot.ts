import { type ChartKey, chartIdOf } from '@shelfwise/facts/stores/chart-key';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { planAfter } from './domain/chart-plan.ts';
import { type ChartSnapshot, hasRatings } from './domain/chart-snapshot.ts';
import { chartTaken } from './domain/chart-taken.ts';
import { dailyReadMs, type ReadChart, type ReadOptions } from './read-chart.ts';
import type { ChartSnapshotStore } from './stores/chart-snapshot-store.ts';
import type { ChartStore } from './stores/chart-store.ts';

/**
 * Time limit of one read for waiting callers, including the wait in store-fetch's queue. A caller may leave earlier.
 */
const callerReadMs = 33_000;
/** A caller whose read takes too long gets an error this long before its deadline. */
const answerMs = 2000;

export type TakeChartSnapshot = ReturnType<typeof createTakeChartSnapshot>;

/**
 * Takes one snapshot per chart and day, however many callers request it. Concurrent callers of one chart share one
 * read in this process. Between copies of the service, the first to write wins, and all return what it wrote.
 */
export function createTakeChartSnapshot(deps: {
  charts: Pick<ChartStore, 'findLastRequestedAt' | 'recordRequest' | 'recordRead'>;
  snapshots: Pick<ChartSnapshotStore, 'find' | 'findAppIds' | 'saveFirst'>;
  readChart: ReadChart;
  /** Called after an event was stored in the outbox; null: nothing publishes events. */
  wake: (() => void) | null;
  now: () => Date;
}) {
  const { charts, snapshots, readChart, wake, now } = deps;
  const singleflight = createSingleflight<ChartSnapshot>();

  /**
   * Reads a chart that has no snapshot of today and saves it, unless another copy was first. The past of the sample can
   * be read: a missing day before is saved too, so that the first chart shows movement.
   */
  async function take(key: ChartKey, options: ReadOptions): Promise<ChartSnapshot> {
    const today = utcDay(now());
    const id = chartIdOf(key);
    const fresh = await readChart(key, options);
    const dayBefore = daysBefore(fresh.day, 1);
    const isPastMissing = fresh.source === 'sample' && !(await snapshots.findAppIds(id, dayBefore));
    const past = isPastMissing ? [await readChart(key, options, dayBefore)] : [];
    // The past of the sample has none: a first reading is compared with nothing.
    const event = wake && chartTaken(key, fresh, { at: now(), requestId: options.requestId });
    const [stored = fresh] = await snapshots.saveFirst(id, [fresh, ...past], event);
    wake?.();
    // Ranks are never stale: a chart of an earlier day is not served as today's.
    if (stored.day < today)
      throw new AppError(
        'STORE_FETCH_FAILED',
        `The chart was read on ${stored.day}, not today (UTC). Try again later.`,
      );
    return stored;
  }

  /** Takes and records a snapshot, shared with concurrent calls of the caller for the chart. */
  function takeBeforeDeadline(key: ChartKey, call: CallContext): Promise<ChartSnapshot> {
    const { requestId, callerId } = call;
    const id = chartIdOf(key);
    const error = new AppError('STORE_FETCH_FAILED', 'The store was not read in time. Try again later.');
    return withDeadline(call, { reserveMs: answerMs, error }, (signal) =>
      // With the day: a read that started yesterday may return yesterday's chart. With the caller: another caller's
      // read may wait longer. store-fetch merges equal reads.
      singleflight.join(JSON.stringify([id, utcDay(now()), callerId]), signal, async (shared) => {
        const options = { requestId, callerId, signal: shared, ms: callerReadMs, isForDailyRun: false };
        // Again: an earlier read may have ended between the caller's look and this.
        const taken = (await snapshots.find(id, utcDay(now()))) ?? (await take(key, options));
        const at = now();
        await charts.recordRead(key, at, planOf(id, taken, at));
        return taken;
      }),
    );
  }

  return {
    /**
     * Returns today's snapshot: the stored one, or one that is read now. Records the request, which keeps the chart
     * in the daily run for 30 days. Writes nothing when the store cannot be read.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async takeForCaller(key: ChartKey, call: CallContext): Promise<ChartSnapshot> {
      const id = chartIdOf(key);
      const at = now();
      const [stored, requestedAt] = await Promise.all([
        snapshots.find(id, utcDay(at)),
        charts.findLastRequestedAt(id),
      ]);
      if (!stored) return takeBeforeDeadline(key, call);
      if (!requestedAt || utcDay(requestedAt) < utcDay(at))
        await charts.recordRequest(key, at, planOf(id, stored, at));
      return stored;
    },

    /**
     * Reads a chart that has no snapshot of today. Its store calls are queued behind those of waiting callers.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    takeForDailyRun: (
      key: ChartKey,
      call: Pick<ReadOptions, 'requestId' | 'signal'>,
    ): Promise<ChartSnapshot> => take(key, { ...call, ms: dailyReadMs, isForDailyRun: true }),
  };
}

function planOf(id: string, snapshot: ChartSnapshot, at: Date) {
  return planAfter(id, { day: snapshot.day, hasRatings: hasRatings(snapshot) }, at);
}
