import type { Worker } from './worker.ts';

/** One sentence about the pause of a worker; an empty list when it is not paused. */
export function describePause({ name, pauseReason }: Pick<Worker, 'name' | 'pauseReason'>): string[] {
  const pause = pauseReason();
  if (!pause) return [];
  return [`${name} are not read until ${pause.until.toISOString().slice(11, 16)} UTC: ${pause.reason}`];
}
