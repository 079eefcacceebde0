import { stores } from '@shelfwise/facts/stores/store';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import type { DueKeywordMarketStore, TrackedKeywordMarket } from '../stores/due-keyword-market-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { StartRun } from './snapshot-runs.ts';
import type { TakeSnapshot } from './take-snapshot.ts';

const marketsPerPage = 200;
const maxConcurrentReads = 16;
/** After this many consecutive failures the run stops. */
const maxFailuresInARow = 20;

/**
 * A run over one UTC day, today or earlier, on sample data: takes the missing snapshots of that day for all tracked
 * keywords, in the order of the keyword ids. Starting it reads the first keyword and rejects with the error of that
 * reading; the other keywords are read in the background.
 */
export function createDayRun(deps: {
  /** YYYY-MM-DD */
  day: string;
  dueKeywordMarkets: DueKeywordMarketStore;
  snapshots: SnapshotStore;
  takeSnapshot: Pick<TakeSnapshot, 'ofDay'>;
  /** The id of the operator's request, which all readings and events carry. */
  requestId: string;
  logger: Pick<Logger, 'error'>;
}): StartRun {
  const { day, dueKeywordMarkets, snapshots, takeSnapshot, requestId, logger } = deps;

  return async (_startedAt, signal) => {
    /** `visited`: keywords that were read, that failed, or that already had the snapshot. */
    const progress = { done: 0, failed: 0, visited: 0 };
    const problems: string[] = [];
    let failuresInARow = 0;
    let isOver = false;

    async function read(market: TrackedKeywordMarket): Promise<void> {
      signal.throwIfAborted();
      try {
        await takeSnapshot.ofDay(day, market, { requestId, signal });
        progress.done += 1;
        failuresInARow = 0;
      } catch (error) {
        progress.failed += 1;
        failuresInARow += 1;
        if (failuresInARow >= maxFailuresInARow) throw error;
      } finally {
        progress.visited += 1;
      }
    }

    async function readMissing(markets: readonly TrackedKeywordMarket[]): Promise<void> {
      const taken = await snapshots.findTaken(
        markets.map(({ _id }) => _id),
        day,
      );
      const missing = markets.filter(({ _id }) => !taken.has(_id));
      progress.visited += markets.length - missing.length;
      await mapLimited(missing, maxConcurrentReads, read);
    }

    async function readAllAfter(startId: number): Promise<void> {
      let lastId = startId;
      for (;;) {
        const markets = await dueKeywordMarkets.listTracked(lastId, marketsPerPage);
        const last = markets.at(-1);
        if (!last) return;
        await readMissing(markets);
        lastId = last._id;
      }
    }

    // Read even if it has the snapshot, to test the source: a live store refuses any given day, and the operator gets
    // that error.
    const [first] = await dueKeywordMarkets.listTracked(0, 1);
    if (first) {
      const isTaken = (await snapshots.findTaken([first._id], day)).has(first._id);
      await takeSnapshot.ofDay(day, first, { requestId, signal });
      if (!isTaken) progress.done += 1;
      progress.visited += 1;
    }
    const trackedCounts = await Promise.all(stores.map((store) => dueKeywordMarkets.countTracked(store)));
    const tracked = trackedCounts.reduce((sum, count) => sum + count, 0);
    void readAllAfter(first?._id ?? 0)
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) logger.error({ err: error, day }, 'a run over one day failed');
        problems.push(toProblem(error));
      })
      .finally(() => {
        isOver = true;
      });

    return {
      async readProgress() {
        const { done, failed, visited } = progress;
        const left = isOver && problems.length === 0 ? 0 : Math.max(0, tracked - visited);
        return { isOver, done, failed, left, problems };
      },
    };
  };
}

function toProblem(error: unknown): string {
  const reason =
    error instanceof AppError
      ? error.message
      : 'an internal error, which the log describes. Start the run again.';
  return `The run stopped early: ${reason}`;
}
