import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

export type ManualClock = ReturnType<typeof createManualClock>;

/** A clock that moves only when a test moves it, with a `sleep` that follows it. */
export function createManualClock(start: string) {
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const clock = {
    at: new Date(start),
    now: () => clock.at,
    sleep: ((ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          until: clock.at.getTime() + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        if (signal.aborted) return resolve();
        sleepers.add(sleeper);
        signal.addEventListener('abort', sleeper.wake, { once: true });
      })) satisfies Sleep as Sleep,
    /** The number of pending sleeps. */
    sleeping: () => sleepers.size,
    /** Sets the time and wakes the sleeps that have expired. */
    moveTo(moment: Date | string): void {
      clock.at = new Date(moment);
      for (const sleeper of [...sleepers]) if (sleeper.until <= clock.at.getTime()) sleeper.wake();
    },
    advance: (ms: number) => clock.moveTo(new Date(clock.at.getTime() + ms)),
  };
  return clock;
}

/** Waits in real time until the condition is true. Fails after 30 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`condition not met within 30 s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
