import type { Logger } from '@shelfwise/runtime/logger';

const everyMs = 5000;

/** Tells in the log how an analysis gets on: each new phase, and every five seconds within one. */
export function createProgress(log: Logger, now: () => Date) {
  const begunAt = now().getTime();
  let toldAt = begunAt;

  function tell(phase: string, counts: Readonly<Record<string, number>>): void {
    toldAt = now().getTime();
    log.info({ phase, ...counts, seconds: Math.round((toldAt - begunAt) / 1000) }, 'niche analysis');
  }
  return {
    enter: tell,
    step(phase: string, counts: Readonly<Record<string, number>>): void {
      if (now().getTime() - toldAt >= everyMs) tell(phase, counts);
    },
  };
}
