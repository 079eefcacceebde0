/** The time that budgets and breakers use. Tests control it. */
export type Clock = {
  now(): Date;
  /** Runs a function once, after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
};

/** The given clock with the system's timers. */
export function createClock(now: () => Date): Clock {
  return {
    now,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}
