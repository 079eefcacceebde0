import type { Worker } from './worker.ts';

/** A reason that says itself when work goes on, such as `… until 10:32:14 UTC: …`. */
const saysUntilWhen = / until \d\d:\d\d(?::\d\d)? UTC\b/;

/**
 * One sentence about the pause of a worker; an empty list when it is not paused. It names one time only: that of the
 * reason if the reason has one.
 */
export function describePause({ name, pauseReason }: Pick<Worker, 'name' | 'pauseReason'>): string[] {
  const pause = pauseReason();
  if (!pause) return [];
  const untilWhen = saysUntilWhen.test(pause.reason)
    ? ''
    : ` until ${pause.until.toISOString().slice(11, 16)} UTC`;
  return [`${name} are not read${untilWhen}: ${pause.reason}`];
}
