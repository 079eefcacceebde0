import { setTimeout as timer } from 'node:timers/promises';

/** Waits so long, or until the signal fires; it never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** By the clock on the wall; it keeps no process alive. */
export const sleep: Sleep = async (ms, signal) => {
  await timer(ms, undefined, { signal, ref: false }).catch(() => {});
};
