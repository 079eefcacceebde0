import type { Clock } from '../src/store-health/clock.ts';

/** A clock that moves only when a test advances it; timers due in between run at their time. */
export function createFakeClock(at = '2026-11-21T12:00:00Z') {
  let nowMs = Date.parse(at);
  const timers = new Set<{ atMs: number; run: () => void }>();
  const clock: Clock = {
    now: () => new Date(nowMs),
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };

  async function advance(ms: number): Promise<void> {
    const untilMs = nowMs + ms;
    await settle();
    for (;;) {
      const [due] = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!due) break;
      timers.delete(due);
      nowMs = Math.max(nowMs, due.atMs);
      due.run();
      await settle();
    }
    nowMs = untilMs;
    await settle();
  }

  /** Sets the system clock back. Timers are not affected. */
  function setBack(ms: number): void {
    nowMs -= ms;
    for (const timer of timers) timer.atMs -= ms;
  }

  return { ...clock, advance, settle, setBack, waiting: () => timers.size };
}

/** Waits until only timers are left. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
