import type { RateLimited } from './limit-decider.ts';
import { createSlidingWindows, type SlidingWindows, windowsExpireAfterMs } from './sliding-windows.ts';

/** The rate windows of each account over the calls that this process has admitted. */
export type AccountWindows = {
  /**
   * Counts a call and returns null, or returns the refusal. Synchronous: two calls cannot both be the last of a window.
   * @param atMs when the call counts, at or before now
   */
  admit(accountId: string, atMs: number): RateLimited | null;
  /** How many accounts have windows now. */
  count(): number;
};

/** Memory is bounded by the accounts that called in the last minute. @param monotonicMs never goes back */
export function createAccountWindows(monotonicMs: () => number): AccountWindows {
  /** Ordered by last call, the longest idle account first. */
  const accounts = new Map<string, { windows: SlidingWindows; lastCallMs: number }>();

  function evictIdle(nowMs: number): void {
    for (const [accountId, { lastCallMs }] of accounts) {
      if (nowMs - lastCallMs < windowsExpireAfterMs) return;
      accounts.delete(accountId);
    }
  }

  return {
    admit(accountId, atMs) {
      const nowMs = monotonicMs();
      evictIdle(nowMs);
      const windows = accounts.get(accountId)?.windows ?? createSlidingWindows();
      accounts.delete(accountId);
      accounts.set(accountId, { windows, lastCallMs: nowMs });
      const refusal = windows.refusal(nowMs);
      if (refusal) return { outcome: 'rate-limited', ...refusal };
      windows.count(atMs);
      return null;
    },
    count() {
      evictIdle(monotonicMs());
      return accounts.size;
    },
  };
}
