import type { RateLimited } from './limit-decider.ts';

type Caller = { accountId: string; keyVersion: number };

/** Which accounts a rate window refuses: until it has room, no further call of the account needs a decision. */
export type RecentRefusals = {
  /** @param decidedMs the monotonic time just before the decision, so that the refusal is not repeated for too long */
  add(caller: Caller, refusal: RateLimited, decidedMs: number): void;
  /** Null when nothing is known: the account has room, or the call carries another key than the refused one. */
  find(caller: Caller): RateLimited | null;
};

/** 100 bytes each. An account that is evicted only costs a decision. */
const maxAccounts = 10_000;

export function createRecentRefusals(monotonicMs: () => number): RecentRefusals {
  /** Ordered by refusal, the oldest first. */
  const refusals = new Map<string, { keyVersion: number; limit: 5 | 60; untilMs: number }>();

  return {
    add({ accountId, keyVersion }, { limit, retryAfterMs }, decidedMs) {
      refusals.delete(accountId);
      refusals.set(accountId, { keyVersion, limit, untilMs: decidedMs + retryAfterMs });
      const [oldest] = refusals.keys();
      if (refusals.size > maxAccounts && oldest !== undefined) refusals.delete(oldest);
    },
    find({ accountId, keyVersion }) {
      const known = refusals.get(accountId);
      if (known?.keyVersion !== keyVersion) return null;
      const retryAfterMs = known.untilMs - monotonicMs();
      if (retryAfterMs > 0) return { outcome: 'rate-limited', limit: known.limit, retryAfterMs };
      refusals.delete(accountId);
      return null;
    },
  };
}
