import type { StoreFailure } from '../store-failure.ts';
import { createBarredItems } from './barred-items.ts';
import type { Question } from './question.ts';
import { createStoreFailureStreak } from './store-failure-streak.ts';

/** A call that a breaker let through. Its outcome is reported with one of the methods. */
export type BreakerCall = {
  succeed(): void;
  fail(failure: StoreFailure): void;
  /** The caller gave up: neither a success nor a failure. */
  abandon(): void;
};

/** `until`: when a probe may start; null while one is under way. `failures`: the number of failures in a row. */
export type OpenState = { until: Date | null; failures: number; lastFailure: StoreFailure };

export type Breaker = ReturnType<typeof createBreaker>;

const firstOpenMs = 15_000;
const maxOpenMs = 60_000;

/**
 * The circuit breaker of one endpoint on one address. It opens after several failures in a row, or at the first
 * `throttled`, because that is reported only after more than one empty answer (`createVerifiedSuggest`). After its
 * open time it lets a single probe through; a failed probe opens it again for twice as long, up to a minute.
 *
 * One unreadable listing must not close a store: lasting failures that may concern only the item of the question count
 * only when at least three different questions have failed, and a question about an item that has failed is no probe.
 * Even then the items may be at fault: when such a failure opens the breaker, a question that the store has answered
 * before may probe at once. If it fails, the breaker stays open as long as without it.
 *
 * No library fits: opossum accepts no clock (for tests), and cockatiel 4 needs Node 22.
 */
export function createBreaker(now: () => Date) {
  const streak = createStoreFailureStreak();
  const barredItems = createBarredItems(now, maxOpenMs);
  /** How long the breaker opens this time; 0 while it is closed. */
  let openMs = 0;
  let openUntilMs = 0;
  let probe: BreakerCall | null = null;
  /** A lasting failure has opened the breaker, and no probe has failed since. */
  let isInDoubt = false;

  function close() {
    streak.end();
    barredItems.clear();
    openMs = 0;
    isInDoubt = false;
  }

  function open({ concernsItem }: StoreFailure) {
    isInDoubt = concernsItem && openMs === 0;
    openMs = openMs === 0 ? firstOpenMs : Math.min(openMs * 2, maxOpenMs);
    openUntilMs = now().getTime() + openMs;
  }

  /**
   * When a probe may start: at most `openMs` from now, even if the clock has been set back since the breaker opened.
   */
  function halfOpenAtMs(): number {
    openUntilMs = Math.min(openUntilMs, now().getTime() + openMs);
    return openUntilMs;
  }

  return {
    /**
     * From when on a call is let through, in epoch milliseconds: 0 while closed, infinity while a probe is under way.
     * With a question: from when on a call for it is.
     */
    usableAtMs(question?: Question): number {
      if (openMs === 0) return 0;
      if (probe) return Number.POSITIVE_INFINITY;
      const probeAtMs = isInDoubt && question?.isAnswered ? 0 : halfOpenAtMs();
      return Math.max(probeAtMs, question ? barredItems.untilMs(question) : 0);
    },

    /** Starts a call. Not to be called before `usableAtMs`. */
    startCall(question: Question): BreakerCall {
      const isEarlyProbe = openMs > 0 && now().getTime() < halfOpenAtMs();
      const call: BreakerCall = {
        succeed() {
          if (counts(call)) close();
        },
        fail(failure) {
          barredItems.add(question, failure);
          if (!counts(call)) return;
          const isCounted = streak.add(question, failure);
          const isProbe = openMs > 0;
          isInDoubt = false;
          if (isEarlyProbe) return;
          if (isCounted && (isProbe || failure.kind === 'throttled' || streak.isTripped())) open(failure);
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
      const lastFailure = streak.lastFailure();
      if (openMs === 0 || lastFailure === null) return null;
      return { until: probe ? null : new Date(halfOpenAtMs()), failures: streak.length(), lastFailure };
    },
  };

  /**
   * Whether the outcome of a call counts; ends the probe if the call is one. While the breaker is open only the probe
   * counts: all other calls started before it opened.
   */
  function counts(call: BreakerCall): boolean {
    if (openMs === 0) return true;
    if (probe !== call) return false;
    probe = null;
    return true;
  }
}
