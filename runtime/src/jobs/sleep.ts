import { setTimeout as timer } from 'node:timers/promises';

/** Waits until the time has passed or the signal fires; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Uses a real timer, which does not keep the process alive. */
export const sleep: Sleep = async (ms, signal) => {
  await timer(ms, undefined, { signal, ref: false }).catch(() => {});
};
