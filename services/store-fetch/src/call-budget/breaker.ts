import type { StoreFailure } from '../sources/store-failure.ts';

/** One call that a breaker let through, and how it went. */
export type BreakerCall = {
  succeed(): void;
  fail(failure: StoreFailure): void;
  /** Without a verdict: the caller gave up. */
  abandon(): void;
};

/** Why a breaker is open, and until when; null: a probe is under way. */
export type OpenState = { until: Date | null; failures: number; lastFailure: StoreFailure };

export type Breaker = ReturnType<typeof createBreaker>;

const failuresToOpen = 5;
/** Calling on would turn a warning into a ban. */
const refusalsToOpen = 2;
const firstOpenMs = 15_000;
const maxOpenMs = 60_000;

/**
 * The circuit breaker of one endpoint on one address. It opens after some failures in a row, or with the first
 * `throttled`, which is never reported on the evidence of one answer alone. After its open time it lets a single probe
 * through; a failed probe opens it again for twice as long.
 *
 * Written here because opossum cannot be given a clock and cockatiel 4 needs Node 22.
 */
export function createBreaker(now: () => Date) {
  let failures = 0;
  let refusals = 0;
  let lastFailure: StoreFailure | null = null;
  /** 0: closed */
  let openMs = 0;
  let openUntilMs = 0;
  let probe: BreakerCall | null = null;

  function close() {
    failures = 0;
    refusals = 0;
    lastFailure = null;
    openMs = 0;
  }

  function count(failure: StoreFailure) {
    lastFailure = failure;
    failures++;
    refusals = isRefusal(failure) ? refusals + 1 : 0;
  }

  function open() {
    openMs = openMs === 0 ? firstOpenMs : Math.min(openMs * 2, maxOpenMs);
    openUntilMs = now().getTime() + openMs;
  }

  /** Never further ahead than the open time is long: it would be when the clock has been set back meanwhile. */
  function halfOpenAtMs(): number {
    openUntilMs = Math.min(openUntilMs, now().getTime() + openMs);
    return openUntilMs;
  }

  return {
    /** From when on it lets a call through: 0 while closed, infinity while a probe is under way. */
    usableAtMs(): number {
      if (openMs === 0) return 0;
      return probe ? Number.POSITIVE_INFINITY : halfOpenAtMs();
    },

    /** Starts a call; only from `usableAtMs` on. */
    startCall(): BreakerCall {
      const call: BreakerCall = {
        succeed() {
          if (counts(call)) close();
        },
        fail(failure) {
          if (!counts(call)) return;
          count(failure);
          const isProbe = openMs > 0;
          if (
            isProbe ||
            failure.kind === 'throttled' ||
            failures >= failuresToOpen ||
            refusals >= refusalsToOpen
          )
            open();
        },
        abandon() {
          counts(call);
        },
      };
      if (openMs > 0) probe = call;
      return call;
    },

    /** Null while it is closed. */
    openState(): OpenState | null {
      if (openMs === 0 || lastFailure === null) return null;
      return { until: probe ? null : new Date(halfOpenAtMs()), failures, lastFailure };
    },
  };

  /** While it is open only the probe counts: other calls were started before, and say nothing new. */
  function counts(call: BreakerCall): boolean {
    if (openMs === 0) return true;
    if (probe !== call) return false;
    probe = null;
    return true;
  }
}

function isRefusal({ kind }: StoreFailure): boolean {
  return kind === 'blocked' || kind === 'captcha';
}
