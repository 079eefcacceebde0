import { randomUUID } from 'node:crypto';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { startOfNextDay } from '@shelfwise/runtime/day';
import { describePause } from '@shelfwise/runtime/jobs/describe-pause';
import type { Worker } from '@shelfwise/runtime/jobs/worker';
import type { DueKeywordMarketStore } from '../stores/due-keyword-market-store.ts';
import type { SnapshotRunDocument, SnapshotRunStore } from '../stores/snapshot-run-store.ts';
import type { BeginRun, RunKind } from './snapshot-runs.ts';

const marketsPerUpdate = 500;
/** More than run at the same time. */
const maxFailuresPerUpdate = 1000;

export type DueRun = ReturnType<typeof createDueRun>;

/**
 * A run over the keywords that are due when it starts; with `isAllOfToday` also over those planned for later today. It
 * makes them due now, and the daily workers of all copies read them. Each is tried once: the run does not wait for
 * retries.
 * Keywords planned for a later day were read. Failures, also those of retries, are counted in the run's document.
 */
export function createDueRun(deps: {
  /** The workers of this copy that read result pages. */
  workers: () => readonly Worker[];
  dueKeywordMarkets: DueKeywordMarketStore;
  runs: Pick<SnapshotRunStore, 'setPrepared' | 'addFailures'>;
  now: () => Date;
}) {
  const { workers, dueKeywordMarkets, runs, now } = deps;
  const copyId = randomUUID();

  const wakeAll = () => {
    for (const worker of workers()) worker.wake();
  };

  function ownPause(): { until: Date; texts: string[] } | null {
    const pauses = workers().flatMap((worker) => worker.pauseReason() ?? []);
    if (pauses.length === 0) return null;
    const until = new Date(Math.max(...pauses.map((pause) => pause.until.getTime())));
    return { until, texts: workers().flatMap(describePause) };
  }

  /** Of this copy now, and of the others when they last reported. */
  function describePauses({ pauses }: SnapshotRunDocument): string[] {
    const others = Object.entries(pauses)
      .filter(([id]) => id !== copyId)
      .flatMap(([, pause]) => (pause && pause.until > now() ? pause.texts : []));
    return [...new Set([...(ownPause()?.texts ?? []), ...others])];
  }

  const addFailures = createBatches<null, null>({
    maxItems: maxFailuresPerUpdate,
    async run(failures) {
      await runs.addFailures(failures.length, copyId, ownPause());
      return failures;
    },
  });

  const kind: RunKind = {
    hasWork: ({ prepare_from: from }) => stores.some((store) => from[store] != null),

    /** Passes each keyword once: one that fails during the run is not made due again. */
    async work(
      { run_id: runId, started_at: startedAt, planned_before: plannedBefore, prepare_from: from },
      signal,
    ) {
      if (!plannedBefore) return;
      for (const store of stores) {
        let plannedFrom = from[store] ?? null;
        while (plannedFrom !== null) {
          signal.throwIfAborted();
          const planned = { plannedFrom, plannedBefore };
          plannedFrom = await dueKeywordMarkets.makeDueBy(store, startedAt, planned, marketsPerUpdate);
          await runs.setPrepared(runId, store, plannedFrom);
          wakeAll();
        }
      }
    },

    async readProgress(run) {
      const { started_at: startedAt, planned_before: plannedBefore, total, failed } = run;
      if (!plannedBefore)
        throw new TypeError('a run over what is due has a time before which keywords are planned');
      // Due ones first: otherwise a job claimed between the two looks would escape both.
      const due = await sumOf((store) => dueKeywordMarkets.countDue(store, startedAt));
      const isClaimed = await sumOf((store) =>
        dueKeywordMarkets.countClaimed(store, startedAt, plannedBefore, 1),
      );
      const unread = await sumOf((store) => dueKeywordMarkets.countPlannedBefore(store, plannedBefore));
      return {
        isOver: !kind.hasWork(run) && due === 0 && isClaimed === 0,
        done: Math.max(0, total - unread),
        failed,
        left: Math.max(0, unread - failed),
        problems: describePauses(run),
      };
    },
  };

  return {
    kind,

    begin:
      (isAllOfToday: boolean, requestId: string): BeginRun =>
      async (startedAt) => {
        // Exclusive, so a keyword planned for exactly `startedAt` belongs to the run.
        const plannedBefore = isAllOfToday ? startOfNextDay(startedAt) : new Date(startedAt.getTime() + 1);
        const total = await sumOf((store) => dueKeywordMarkets.countPlannedBefore(store, plannedBefore));
        return {
          request_id: requestId,
          day: null,
          total,
          done: 0,
          failed: 0,
          planned_before: plannedBefore,
          prepare_from: Object.fromEntries(stores.map((store) => [store, new Date(0)])),
          after_id: 0,
          visited: 0,
        };
      },

    /** To be called for each job of these workers that fails, before its failure is stored. Never rejects. */
    async onFailure(): Promise<void> {
      await addFailures(null).catch(() => {});
    },
  };
}

async function sumOf(count: (store: Store) => PromiseLike<number>): Promise<number> {
  const counts = await Promise.all(stores.map(count));
  return counts.reduce((total, number) => total + number, 0);
}
