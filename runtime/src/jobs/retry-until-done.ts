import type { Sleep } from '../concurrency/sleep.ts';

const retryMs = 15_000;

/**
 * Retries the work, for example while the database is unavailable. Resolves when the work succeeds or the signal
 * fires; never rejects.
 */
export async function retryUntilDone(
  work: () => Promise<void>,
  deps: { signal: AbortSignal; sleep: Sleep; onFailure: (error: unknown) => void },
): Promise<void> {
  const { signal, sleep, onFailure } = deps;
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      onFailure(error);
      await sleep(retryMs, signal);
    }
  }
}
