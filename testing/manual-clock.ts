import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';

export type ManualClock = ReturnType<typeof createManualClock>;

/** A clock that moves only when a test moves it, with a `sleep` that follows it. */
export function createManualClock(start: string) {
  const sleepers = new Set<{ ms: number; until: number; wake: () => void }>();
  /** By how much the time was set, without a sleep that ended sooner or later. */
  let setByMs = 0;
  const clock = {
    at: new Date(start),
    now: () => clock.at,
    /** The time that has passed, whatever the clock was set to. */
    monotonicMs: () => clock.at.getTime() - setByMs,
    sleep: ((ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          ms,
          until: clock.monotonicMs() + ms,
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
    /** The number of pending sleeps; with a length only of those that were asked for so long. */
    sleeping: (ofMs?: number) => [...sleepers].filter(({ ms }) => ofMs === undefined || ms === ofMs).length,
    /** Sets the time and wakes the sleeps that have expired. */
    moveTo(moment: Date | string): void {
      clock.at = new Date(moment);
      for (const sleeper of [...sleepers]) if (sleeper.until <= clock.monotonicMs()) sleeper.wake();
    },
    /** Sets the clock as an operator or NTP does. No time passes; negative: back. */
    setBy(ms: number): void {
      setByMs += ms;
      clock.at = new Date(clock.at.getTime() + ms);
    },
    advance: (ms: number) => clock.moveTo(new Date(clock.at.getTime() + ms)),
  };
  return clock;
}
