import type { RateLimited } from './limit-decider.ts';
import type { WindowLimit } from './sliding-windows.ts';

type Caller = { accountId: string; keyVersion: number };

export type RecentRefusals = ReturnType<typeof createRecentRefusals>;

/** 100 bytes each. An account that is evicted only costs a decision. */
const maxAccounts = 10_000;

/** Which accounts a rate window refuses: until it has room, no further call of the account needs a decision. */
export function createRecentRefusals(monotonicMs: () => number) {
  /** Ordered by refusal, the oldest first. */
  const refusals = new Map<string, { keyVersion: number; limit: WindowLimit; untilMs: number }>();

  return {
    /** @param decidedMs the monotonic time just before the decision, so that the refusal is not repeated for too long */
    add({ accountId, keyVersion }: Caller, { limit, retryAfterMs }: RateLimited, decidedMs: number): void {
      refusals.delete(accountId);
      refusals.set(accountId, { keyVersion, limit, untilMs: decidedMs + retryAfterMs });
      const [oldest] = refusals.keys();
      if (refusals.size > maxAccounts && oldest !== undefined) refusals.delete(oldest);
    },
    /** Null when nothing is known: the account has room, or the call carries another key than the refused one. */
    find({ accountId, keyVersion }: Caller): RateLimited | null {
      const known = refusals.get(accountId);
      if (known?.keyVersion !== keyVersion) return null;
      const retryAfterMs = known.untilMs - monotonicMs();
      if (retryAfterMs > 0) return { outcome: 'rate-limited', limit: known.limit, retryAfterMs };
      refusals.delete(accountId);
      return null;
    },
  };
}
