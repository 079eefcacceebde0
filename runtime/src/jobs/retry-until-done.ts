import type { Sleep } from './sleep.ts';

const retryMs = 15_000;

/** Ends when the work has succeeded or the signal fires; a database that is away is tried again. It never rejects. */
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
