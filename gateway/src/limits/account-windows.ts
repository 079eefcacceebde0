import type { RateLimited } from './limit-decider.ts';
import {
  createSlidingWindows,
  type SlidingWindows,
  type Windows,
  windowsExpireAfterMs,
} from './sliding-windows.ts';

export type AccountWindows = ReturnType<typeof createAccountWindows>;

/**
 * The rate windows of each account over the calls that this process has admitted. Memory is bounded by the accounts that
 * called in the last minute.
 */
export function createAccountWindows(sizes: Windows, monotonicMs: () => number) {
  /** Ordered by last call, the longest idle account first. */
  const accounts = new Map<string, { windows: SlidingWindows; lastCallMs: number }>();

  function evictIdle(nowMs: number): void {
    for (const [accountId, { lastCallMs }] of accounts) {
      if (nowMs - lastCallMs < windowsExpireAfterMs) return;
      accounts.delete(accountId);
    }
  }

  return {
    /**
     * Counts a call and returns null, or returns the refusal. Synchronous: two calls cannot take the last slot of a window.
     * @param atMs when the call counts, at or before now
     */
    admit(accountId: string, atMs: number): RateLimited | null {
      const nowMs = monotonicMs();
      evictIdle(nowMs);
      const windows = accounts.get(accountId)?.windows ?? createSlidingWindows(sizes);
      accounts.delete(accountId);
      accounts.set(accountId, { windows, lastCallMs: nowMs });
      const refusal = windows.refusal(nowMs);
      if (refusal) return { outcome: 'rate-limited', ...refusal };
      windows.count(atMs);
      return null;
    },
    /** How many accounts have windows now. */
    count(): number {
      evictIdle(monotonicMs());
      return accounts.size;
    },
  };
}
