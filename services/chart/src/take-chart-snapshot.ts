import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext, GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createSingleflight } from '@shelfwise/runtime/singleflight';
import { type ChartKey, chartIdOf } from './domain/chart-key.ts';
import { planAfter } from './domain/chart-plan.ts';
import { type ChartSnapshot, hasRatings, maxDepth, toChartSnapshot } from './domain/chart-snapshot.ts';
import { daysBefore } from './domain/days-before.ts';
import type { ChartSnapshotStore } from './stores/chart-snapshot-store.ts';
import type { ChartStore } from './stores/chart-store.ts';

/** One reading of a store that somebody waits for, his turn included; whoever waits may give up earlier. */
const readMs = 33_000;
/** One reading of the daily run. */
export const dailyReadMs = 45_000;
/** Whoever waits is answered so long before his deadline. */
const answerMs = 2000;
/** Titles in English. A chart is one per country: its ranks are the same in every language. */
const lang = 'en-US';

type Call = { requestId: string; signal: AbortSignal };

export type ChartTaker = ReturnType<typeof createChartTaker>;

/**
 * Takes one snapshot per chart and day, however many ask for it. Callers that want one chart at the same time share one
 * reading; between copies of the service the first to write wins.
 */
export function createChartTaker(deps: {
  charts: ChartStore;
  snapshots: ChartSnapshotStore;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  now: () => Date;
}) {
  const { charts, snapshots, storeFetch, sourceGuard, now } = deps;
  const flights = createSingleflight<ChartSnapshot>();

  async function readChart(
    { store, country, category, collection }: ChartKey,
    { ms, day, isForDailyRun, ...call }: Call & { ms: number; isForDailyRun: boolean; day?: string },
  ): Promise<ChartSnapshot> {
    const reply = await storeFetch.getChart(
      {
        storefront: { store, country, lang },
        category,
        collection: collectionMessages[collection],
        limit: maxDepth,
        for_daily_run: isForDailyRun,
        ...(day !== undefined && { on_day: day }),
      },
      { ...call, deadline: new Date(Date.now() + ms) },
    );
    const snapshot = toChartSnapshot(reply);
    await sourceGuard.admit(snapshot.source);
    call.signal.throwIfAborted();
    return snapshot;
  }

  /**
   * Reads a chart that has no snapshot of today, and keeps it: the first of a day stays. Of the sample, whose past can be
   * read, the day before is kept too, so that the first chart shows movement.
   */
  async function take(
    key: ChartKey,
    call: Call & { ms: number; isForDailyRun: boolean },
  ): Promise<ChartSnapshot> {
    const today = utcDay(now());
    const id = chartIdOf(key);
    const fresh = await readChart(key, call);
    const before = daysBefore(fresh.day, 1);
    const isPastMissing = fresh.source === 'sample' && !(await snapshots.findAppIds(id, before));
    const past = isPastMissing ? [await readChart(key, { ...call, day: before })] : [];
    const [kept = fresh] = await snapshots.keepFirst(id, [fresh, ...past]);
    // The past is no chart of today: ranks are never stale.
    if (kept.day < today)
      throw new AppError('STORE_FETCH_FAILED', `The chart is of ${kept.day}. Try again later.`);
    return kept;
  }

  async function takeAwaited(key: ChartKey, call: CallContext): Promise<ChartSnapshot> {
    const patience = AbortSignal.timeout(Math.max(0, call.deadline.getTime() - answerMs - Date.now()));
    const signal = AbortSignal.any([call.signal, patience]);
    const { requestId } = call;
    const id = chartIdOf(key);
    try {
      // With the day: what was begun yesterday is yesterday's chart.
      return await flights.join(`${id}:${utcDay(now())}`, signal, async (shared) => {
        const taken = await take(key, { requestId, signal: shared, ms: readMs, isForDailyRun: false });
        const at = now();
        await charts.noteRead(key, at, planOf(id, taken, at));
        return taken;
      });
    } catch (error) {
      if (!patience.aborted) throw error;
      throw new AppError('STORE_FETCH_FAILED', 'The store was not read in time. Try again later.');
    }
  }

  return {
    /**
     * The snapshot of today: the one that is there, or one read from the store now. That somebody asked is noted, so
     * that the chart is read every day for a while. Nothing is written when the store cannot be read.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    async takeToday(key: ChartKey, call: CallContext): Promise<ChartSnapshot> {
      const id = chartIdOf(key);
      const at = now();
      const [known, askedAt] = await Promise.all([snapshots.find(id, utcDay(at)), charts.findAskedAt(id)]);
      if (known) {
        if (!askedAt || utcDay(askedAt) < utcDay(at)) await charts.noteAsked(key, at, planOf(id, known, at));
        return known;
      }
      return takeAwaited(key, call);
    },

    /**
     * Reads a chart that has no snapshot of today, at its turn behind everybody who waits.
     * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
     */
    takeInTurn: (key: ChartKey, call: Call): Promise<ChartSnapshot> =>
      take(key, { ...call, ms: dailyReadMs, isForDailyRun: true }),

    /** The chart as it is now, of which nothing is kept. Errors as of `takeInTurn`. */
    readInTurn: (key: ChartKey, call: Call): Promise<ChartSnapshot> =>
      readChart(key, { ...call, ms: dailyReadMs, isForDailyRun: true }),
  };
}

function planOf(id: string, snapshot: ChartSnapshot, at: Date) {
  return planAfter(id, { day: snapshot.day, hasRatings: hasRatings(snapshot) }, at);
}
