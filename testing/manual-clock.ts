import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

export type ManualClock = ReturnType<typeof createManualClock>;

/** A clock that stands still until a test moves it, and the waiting that goes by it. */
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
    /** How many wait for their time. */
    sleeping: () => sleepers.size,
    /** Puts the clock to a moment, and wakes whoever's time has come. */
    moveTo(moment: Date | string): void {
      clock.at = new Date(moment);
      for (const sleeper of [...sleepers]) if (sleeper.until <= clock.at.getTime()) sleeper.wake();
    },
    advance: (ms: number) => clock.moveTo(new Date(clock.at.getTime() + ms)),
  };
  return clock;
}

/** Waits, by the clock on the wall, until a condition condition; fails after half a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
