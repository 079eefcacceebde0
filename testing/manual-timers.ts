export type ManualTimers = ReturnType<typeof createManualTimers>;

/** A clock with timers that moves only when a test moves it. Timers fire at their time, one after another. */
export function createManualTimers() {
  let now = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  /** Lets what waits for a promise go on. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    nowMs: () => now,
    /** Calls back once. Returns what cancels it. */
    after(ms: number, callback: () => void): () => void {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    /** The number of timers that have neither fired nor been cancelled. */
    pending: () => timers.size,
    async advance(ms: number): Promise<void> {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        now = next.at;
        timers.delete(next);
        next.callback();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
