import { stores } from '@shelfwise/facts/stores/store';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError } from '@shelfwise/runtime/errors';
import type { SnapshotTaker } from '../snapshot-taker.ts';
import type { DueMarketStore, WatchedMarket } from '../stores/due-market-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { StartRun } from './snapshot-runs.ts';

const marketsAtOnce = 200;
const readingsAtOnce = 16;
/** After so many failures in a row the source is not asked any more. */
const failuresToEnd = 20;

/**
 * A run over a day that is past or present, on the sample: the snapshot of that day for every tracked market that has
 * none. It walks over all markets in the order of their ids, some at a time.
 */
export function createDayRun(deps: {
  day: string;
  dueMarkets: DueMarketStore;
  snapshots: SnapshotStore;
  snapshotTaker: SnapshotTaker;
  requestId: string;
}): StartRun {
  const { day, dueMarkets, snapshots, snapshotTaker, requestId } = deps;

  return async (_startedAt, signal) => {
    const progress = { done: 0, failed: 0, passed: 0 };
    const problems: string[] = [];
    let failuresInARow = 0;
    let isOver = false;

    async function read(market: WatchedMarket): Promise<void> {
      signal.throwIfAborted();
      try {
        await snapshotTaker.takeOf(day, market, { requestId, signal });
        progress.done += 1;
        failuresInARow = 0;
      } catch (error) {
        progress.failed += 1;
        failuresInARow += 1;
        if (failuresInARow >= failuresToEnd) throw error;
      } finally {
        progress.passed += 1;
      }
    }

    async function readMissing(markets: readonly WatchedMarket[]): Promise<void> {
      const taken = await snapshots.findTaken(
        markets.map(({ _id }) => _id),
        day,
      );
      const missing = markets.filter(({ _id }) => !taken.has(_id));
      progress.passed += markets.length - missing.length;
      await mapLimited(missing, readingsAtOnce, read);
    }

    async function walkAfter(id: number): Promise<void> {
      for (let passedId = id; ; ) {
        const markets = await dueMarkets.listWatched(passedId, marketsAtOnce);
        const last = markets.at(-1);
        if (!last) return;
        await readMissing(markets);
        passedId = last._id;
      }
    }

    // A live store refuses to show another day: one market is enough to know, and its error is the answer.
    const [first] = await dueMarkets.listWatched(0, 1);
    if (first) {
      const isTaken = (await snapshots.findTaken([first._id], day)).has(first._id);
      await snapshotTaker.takeOf(day, first, { requestId, signal });
      if (!isTaken) progress.done += 1;
      progress.passed += 1;
    }
    const tracked = (await Promise.all(stores.map((store) => dueMarkets.countPlanned(store)))).reduce(
      (one, other) => one + other,
      0,
    );
    void walkAfter(first?._id ?? 0)
      .catch((error: unknown) => problems.push(toProblem(error)))
      .finally(() => {
        isOver = true;
      });

    return {
      async look() {
        const { done, failed, passed } = progress;
        const left = isOver && problems.length === 0 ? 0 : Math.max(0, tracked - passed);
        return { isOver, done, failed, left, problems };
      },
    };
  };
}

function toProblem(error: unknown): string {
  const reason = error instanceof AppError ? error.message : 'The log has more.';
  return `The run has ended before its time: ${reason}`;
}
