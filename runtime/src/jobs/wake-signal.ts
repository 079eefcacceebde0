import type { Sleep } from '../concurrency/sleep.ts';

export type WakeSignal = ReturnType<typeof createWakeSignal>;

/** Wakes one waiting loop. A signal that is raised before the wait is not lost; several signals count as one. */
export function createWakeSignal() {
  let isRaised = false;
  let wake = () => {};

  function raise(): void {
    isRaised = true;
    wake();
  }

  /** Resolves when the signal is raised, or immediately if it was raised since the last wait. */
  async function raised(): Promise<void> {
    if (!isRaised)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    isRaised = false;
  }

  return {
    raise,
    raised,
    /** As `raised`, but after `ms` at the latest. */
    async raisedWithin(ms: number, sleep: Sleep): Promise<void> {
      const waitEnd = new AbortController();
      void sleep(ms, waitEnd.signal).then(() => {
        if (!waitEnd.signal.aborted) raise();
      });
      await raised();
      waitEnd.abort();
    },
  };
}
