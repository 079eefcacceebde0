import type { Logger } from '../logger.ts';

const piecesPerLine = 1000;
const lineEveryMs = 60_000;

/** One line of progress per minute or 1,000 pieces, whichever comes first; none when nothing happens. */
export function createLaneLog(deps: { logger: Logger; work: string; now: () => Date }) {
  const { logger, work, now } = deps;
  let counts = { done: 0, failed: 0 };
  let since = now().getTime();

  return {
    count(outcome: 'done' | 'failed'): void {
      const nowMs = now().getTime();
      if (counts.done + counts.failed === 0) since = nowMs;
      counts[outcome] += 1;
      if (counts.done + counts.failed < piecesPerLine && nowMs - since < lineEveryMs) return;
      logger.info({ work, ...counts, seconds: Math.round((nowMs - since) / 1000) }, 'daily run');
      counts = { done: 0, failed: 0 };
    },
  };
}
