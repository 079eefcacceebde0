import { setTimeout as sleep } from 'node:timers/promises';

/** Waits while keeping the process alive. Returns early when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
}
