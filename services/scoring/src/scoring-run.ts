import type { Worker } from '@shelfwise/runtime/jobs/worker';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import type { ScoreRenewer } from './measuring/score-renewer.ts';
import { type Waiting, workStatus } from './work-status.ts';

/**
 * Everything that scoring does by itself: it measures the keywords that come due, tracked ones and the words of listings in a
 * worker each per store, and audits the listings, in a worker of their own. Any number of copies may run over one database: what one has claimed no other takes.
 */
export function createScoringRun(deps: {
  workers: readonly Worker[];
  scoreRenewer: ScoreRenewer;
  waiting: Waiting;
  now: () => Date;
}): { start(): void; stop(): Promise<void>; status: StatusCheck } {
  const { workers, scoreRenewer } = deps;
  const stopping = new AbortController();
  let renewing = Promise.resolve();
  let stopped: Promise<unknown> | undefined;

  return {
    start() {
      renewing = scoreRenewer.run(stopping.signal);
      for (const worker of workers) worker.start();
    },
    /** Once, whoever asks for it first. */
    async stop() {
      stopping.abort();
      stopped ??= Promise.all([renewing, ...workers.map((worker) => worker.stop())]);
      await stopped;
    },
    status: workStatus(deps),
  };
}
