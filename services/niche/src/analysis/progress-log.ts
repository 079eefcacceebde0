import type { Logger } from '@shelfwise/runtime/logger';

const logEveryMs = 5000;

/** Logs the progress of an analysis: each new phase, and every five seconds within one. */
export function createProgressLog(log: Logger, now: () => Date) {
  const startedAt = now().getTime();
  let loggedAt = startedAt;

  function write(phase: string, counts: Readonly<Record<string, number>>): void {
    loggedAt = now().getTime();
    log.info({ phase, ...counts, seconds: Math.round((loggedAt - startedAt) / 1000) }, 'niche analysis');
  }
  return {
    enter: write,
    step(phase: string, counts: Readonly<Record<string, number>>): void {
      if (now().getTime() - loggedAt >= logEveryMs) write(phase, counts);
    },
  };
}
