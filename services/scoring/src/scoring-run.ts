import type { Worker } from '@shelfwise/runtime/jobs/worker';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { type Backlog, backlogStatus } from './terms/backlog-status.ts';

/**
 * The background work of scoring. For each store one worker measures due tracked keywords and another the due words
 * of listings. One more worker audits due listings. Any number of copies may run on one database: each job is claimed
 * by one copy only. The sweep deletes expired documents.
 */
export function createScoringRun(deps: {
  workers: readonly Worker[];
  /** Resolves when no scores of an earlier version are left, or the signal fires. */
  recomputeScores: (signal: AbortSignal) => Promise<void>;
  sweep: { start(): void; stop(): Promise<void> };
  backlog: Backlog;
  now: () => Date;
}): { start(): void; stop(): Promise<void>; status: StatusCheck } {
  const { workers, recomputeScores, sweep } = deps;
  const stopping = new AbortController();
  let recomputing = Promise.resolve();
  let stopped: Promise<unknown> | undefined;

  return {
    start() {
      recomputing = recomputeScores(stopping.signal);
      for (const worker of workers) worker.start();
      sweep.start();
    },
    /** Further calls wait for the first one. */
    async stop() {
      stopping.abort();
      stopped ??= Promise.all([recomputing, sweep.stop(), ...workers.map((worker) => worker.stop())]);
      await stopped;
    },
    status: backlogStatus(deps),
  };
}
