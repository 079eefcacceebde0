import type { Logger } from '../log/logger.ts';

const jobsPerLine = 1000;
const lineEveryMs = 60_000;

/** Logs a line of progress per minute or 1,000 jobs, whichever comes first; no line while no job finishes. */
export function createWorkerLog(deps: { logger: Logger; jobs: string; work: string; now: () => Date }) {
  const { logger, jobs, work, now } = deps;
  let counts = { done: 0, failed: 0 };
  let since = now().getTime();

  return {
    count(outcome: 'done' | 'failed'): void {
      const nowMs = now().getTime();
      if (counts.done + counts.failed === 0) since = nowMs;
      counts[outcome] += 1;
      if (counts.done + counts.failed < jobsPerLine && nowMs - since < lineEveryMs) return;
      logger.info({ jobs, ...counts, seconds: Math.round((nowMs - since) / 1000) }, work);
      counts = { done: 0, failed: 0 };
    },
  };
}
