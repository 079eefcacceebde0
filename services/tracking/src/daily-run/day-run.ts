import { stores } from '@shelfwise/facts/stores/store';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { DueKeywordMarketStore, TrackedKeywordMarket } from '../stores/due-keyword-market-store.ts';
import type { SnapshotRunDocument, SnapshotRunStore } from '../stores/snapshot-run-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { BeginRun, RunKind } from './snapshot-runs.ts';
import type { TakeSnapshot } from './take-snapshot.ts';

/** One write of the progress for this many keywords. */
const marketsPerPage = 100;
const maxConcurrentReads = 16;
/** After this many consecutive failures the run stops. */
const maxFailuresInARow = 20;

type DayProgress = Pick<SnapshotRunDocument, 'done' | 'failed' | 'after_id' | 'visited'>;

export type DayRun = ReturnType<typeof createDayRun>;

/**
 * A run over one UTC day, today or earlier, on sample data. It takes that day's missing snapshots of all tracked
 * keywords, by keyword id.
 * Starting it reads the first keyword and rejects with the error of that reading. One copy reads the others in the
 * background. After a crash another copy repeats at most a page, and reads only keywords without the snapshot.
 */
export function createDayRun(deps: {
  dueKeywordMarkets: Pick<DueKeywordMarketStore, 'listTracked' | 'countTracked'>;
  snapshots: Pick<SnapshotStore, 'findTaken'>;
  takeSnapshot: Pick<TakeSnapshot, 'ofDay'>;
  runs: Pick<SnapshotRunStore, 'setVisited' | 'end'>;
  logger: Pick<Logger, 'error'>;
  now: () => Date;
}) {
  const { dueKeywordMarkets, snapshots, takeSnapshot, runs, logger, now } = deps;

  /** Reads all keywords that are left, and keeps `progress` up to date. */
  async function readAll(
    { run_id: runId, request_id: requestId }: SnapshotRunDocument,
    { day, progress, signal }: { day: string; progress: DayProgress; signal: AbortSignal },
  ): Promise<void> {
    let failuresInARow = 0;

    async function read(market: TrackedKeywordMarket): Promise<void> {
      signal.throwIfAborted();
      try {
        await takeSnapshot.ofDay(day, market, { requestId, signal });
        progress.done += 1;
        failuresInARow = 0;
      } catch (error) {
        if (signal.aborted) throw error;
        progress.failed += 1;
        failuresInARow += 1;
        if (failuresInARow >= maxFailuresInARow) throw error;
      }
    }

    async function readPage(markets: readonly TrackedKeywordMarket[], lastId: number): Promise<void> {
      const ids = markets.map(({ _id }) => _id);
      const taken = await snapshots.findTaken(ids, day);
      const missing = markets.filter(({ _id }) => !taken.has(_id));
      await mapLimited(missing, maxConcurrentReads, read);
      progress.after_id = lastId;
      progress.visited += markets.length;
    }

    const save = () => runs.setVisited(runId, progress);
    for (let isInProgress = true; isInProgress; isInProgress = await save()) {
      const markets = await dueKeywordMarkets.listTracked(progress.after_id, marketsPerPage);
      const last = markets.at(-1);
      if (!last) return;
      try {
        await readPage(markets, last._id);
      } catch (error) {
        await save();
        throw error;
      }
    }
  }

  const kind: RunKind = {
    hasWork: () => true,

    async work(run, signal) {
      const { day, run_id: runId, total, done, failed, after_id, visited } = run;
      if (day === null) return;
      const progress = { done, failed, after_id, visited };
      const problems: string[] = [];
      try {
        await readAll(run, { day, progress, signal });
      } catch (error) {
        if (signal.aborted) throw error;
        if (!(error instanceof AppError)) logger.error({ err: error, day }, 'a run over one day failed');
        problems.push(toProblem(error));
      }
      const left = problems.length === 0 ? 0 : Math.max(0, total - progress.visited);
      await runs.end(runId, {
        ended_at: now(),
        done: progress.done,
        failed: progress.failed,
        left,
        problems,
      });
    },

    async readProgress({ done, failed, total, visited }) {
      return { isOver: false, done, failed, left: Math.max(0, total - visited), problems: [] };
    },
  };

  return {
    kind,

    begin:
      (day: string, requestId: string): BeginRun =>
      async (_startedAt, signal) => {
        let done = 0;
        // Also if it has the snapshot: a live store refuses any given day, and the operator gets that error.
        const [first] = await dueKeywordMarkets.listTracked(0, 1);
        if (first) {
          const isTaken = (await snapshots.findTaken([first._id], day)).has(first._id);
          await takeSnapshot.ofDay(day, first, { requestId, signal });
          if (!isTaken) done = 1;
        }
        const trackedCounts = await Promise.all(stores.map((store) => dueKeywordMarkets.countTracked(store)));
        return {
          request_id: requestId,
          day,
          total: trackedCounts.reduce((sum, count) => sum + count, 0),
          done,
          failed: 0,
          planned_before: null,
          prepare_from: {},
          after_id: first?._id ?? 0,
          visited: first ? 1 : 0,
        };
      },
  };
}

function toProblem(error: unknown): string {
  const reason =
    error instanceof AppError
      ? error.message
      : 'an internal error, which the log describes. Start the run again.';
  return `The run stopped early: ${reason}`;
}
