import type { StoreFailure } from '../sources/store-failure.ts';

/** One call that a breaker let through, and how it went. */
export type BreakerCall = {
  succeed(): void;
  fail(failure: StoreFailure): void;
  /** Without a verdict: it was given up. */
  leave(): void;
};

/** Why it lets nothing through, and until when; null: one call is finding out just now. */
export type Rest = { until: Date | null; failures: number; last: StoreFailure };

export type Breaker = ReturnType<typeof createBreaker>;

const failuresToOpen = 5;
/** Asking on would turn a warning into a ban. */
const refusalsToOpen = 2;
const firstRestMs = 15_000;
const longestRestMs = 60_000;

/**
 * Leaves one endpoint alone, on one address, after so many failures in a row, or as soon as it is known to throttle:
 * that is told by more than one answer. After a rest one single call finds out
 * whether it is well again; a failure doubles the rest.
 *
 * Written here because opossum cannot be given a clock and cockatiel 4 needs Node 22.
 */
export function createBreaker(now: () => Date) {
  let failures = 0;
  let refusals = 0;
  let last: StoreFailure | null = null;
  /** 0: closed */
  let restMs = 0;
  let restUntilMs = 0;
  let probe: BreakerCall | null = null;

  function close() {
    failures = 0;
    refusals = 0;
    last = null;
    restMs = 0;
  }

  function count(failure: StoreFailure) {
    last = failure;
    failures++;
    refusals = isRefusal(failure) ? refusals + 1 : 0;
  }

  function rest() {
    restMs = restMs === 0 ? firstRestMs : Math.min(restMs * 2, longestRestMs);
    restUntilMs = now().getTime() + restMs;
  }

  /** Never further ahead than the rest is long: it would be when the clock has been set back meanwhile. */
  function restsUntilMs(): number {
    restUntilMs = Math.min(restUntilMs, now().getTime() + restMs);
    return restUntilMs;
  }

  return {
    /** From when on it lets a call through: 0 while closed, infinity while one call is finding out. */
    usableAtMs(): number {
      if (restMs === 0) return 0;
      return probe ? Number.POSITIVE_INFINITY : restsUntilMs();
    },

    /** Begins a call; only from `usableAtMs` on. */
    enter(): BreakerCall {
      const call: BreakerCall = {
        succeed() {
          if (isHeard(call)) close();
        },
        fail(failure) {
          if (!isHeard(call)) return;
          count(failure);
          const isProbe = restMs > 0;
          if (
            isProbe ||
            failure.kind === 'throttled' ||
            failures >= failuresToOpen ||
            refusals >= refusalsToOpen
          )
            rest();
        },
        leave() {
          isHeard(call);
        },
      };
      if (restMs > 0) probe = call;
      return call;
    },

    rest(): Rest | null {
      if (restMs === 0 || last === null) return null;
      return { until: probe ? null : new Date(restsUntilMs()), failures, last };
    },
  };

  /** While it rests, only the call that finds out counts: others were begun before, and say nothing new. */
  function isHeard(call: BreakerCall): boolean {
    if (restMs === 0) return true;
    if (probe !== call) return false;
    probe = null;
    return true;
  }
}

function isRefusal({ kind }: StoreFailure): boolean {
  return kind === 'blocked' || kind === 'captcha';
}
