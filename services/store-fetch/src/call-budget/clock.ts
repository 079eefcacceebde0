/** Time as budgets and breakers see it, so that tests can move it. */
export type Clock = {
  now(): Date;
  /** Runs something later, once; returns how to cancel it. */
  after(ms: number, run: () => void): () => void;
};

/** The system's timers with the clock given. */
export function createClock(now: () => Date): Clock {
  return {
    now,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}
