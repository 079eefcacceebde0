import type { Lane } from '@shelfwise/runtime/lanes/lane';
import type { StatusCheck } from '@shelfwise/runtime/status';
import type { ScoreRenewer } from './measuring/score-renewer.ts';
import { type Waiting, workStatus } from './work-status.ts';

/**
 * Everything that scoring does by itself: it measures the keywords that come due, tracked ones and the words of listings in a
 * lane each per store, and audits the listings, in a lane of their own. Any number of copies may run over one database: what one has claimed no other takes.
 */
export function createScoringRun(deps: {
  lanes: readonly Lane[];
  scoreRenewer: ScoreRenewer;
  waiting: Waiting;
  now: () => Date;
}): { start(): void; stop(): Promise<void>; status: StatusCheck } {
  const { lanes, scoreRenewer } = deps;
  const stopping = new AbortController();
  let renewing = Promise.resolve();
  let stopped: Promise<unknown> | undefined;

  return {
    start() {
      renewing = scoreRenewer.run(stopping.signal);
      for (const lane of lanes) lane.start();
    },
    /** Once, whoever asks for it first. */
    async stop() {
      stopping.abort();
      stopped ??= Promise.all([renewing, ...lanes.map((lane) => lane.stop())]);
      await stopped;
    },
    status: workStatus(deps),
  };
}
