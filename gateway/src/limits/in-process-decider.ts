import type { LimitDecider, LimitDecision, QuotaUsage } from './limit-decider.ts';
import {
  createSlidingWindows,
  type SlidingWindows,
  type WindowRefusal,
  windowsExpireAfterMs,
} from './sliding-windows.ts';
import type { CapReached, UsageCounters } from './usage-counters.ts';

type AccountState = {
  windows: SlidingWindows;
  /** the newest one known: a call with an older one carries a replaced key */
  keyVersion: number;
  lastCallMs: number;
  /** whether the windows refused the last call */
  isRefusing: boolean;
};

/**
 * Decides with rate windows in this process's memory; the quota is counted in the database. The windows are checked and
 * updated synchronously, so two calls cannot take the last place of a window. Memory is bounded by the accounts that
 * called in the last minute.
 */
export function createInProcessDecider(deps: {
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  /** never goes back, in ms */
  monotonicMs: () => number;
}): LimitDecider {
  const { counters, monotonicMs } = deps;
  /** Ordered by last call, the longest idle account first. */
  const accounts = new Map<string, AccountState>();

  /** Moves the account to the end, and keeps the newest key version. */
  function touch(accountId: string, keyVersion: number, nowMs: number): AccountState {
    const state = accounts.get(accountId) ?? {
      windows: createSlidingWindows(),
      keyVersion,
      lastCallMs: nowMs,
      isRefusing: false,
    };
    state.lastCallMs = nowMs;
    state.keyVersion = Math.max(state.keyVersion, keyVersion);
    accounts.delete(accountId);
    accounts.set(accountId, state);
    return state;
  }

  function evictIdle(nowMs: number): void {
    for (const [accountId, { lastCallMs }] of accounts) {
      if (nowMs - lastCallMs < windowsExpireAfterMs) return;
      accounts.delete(accountId);
    }
  }

  function decideWindows(accountId: string, keyVersion: number, at: Date): LimitDecision {
    const nowMs = monotonicMs();
    evictIdle(nowMs);
    const state = touch(accountId, keyVersion, nowMs);
    if (keyVersion < state.keyVersion) return { outcome: 'key-replaced' };
    const refusal = state.windows.admit(nowMs);
    state.isRefusing = refusal !== null;
    return refusal ? toRateLimited(refusal, at) : { outcome: 'admitted' };
  }

  return {
    async decide({ accountId, keyVersion, quotaCost, quotaLimit, at }) {
      const decision = decideWindows(accountId, keyVersion, at);
      if (decision.outcome !== 'admitted' || quotaCost === 0) return decision;
      const capReached = await counters.spend({ accountId, counter: 'api_requests', cap: quotaLimit, at });
      return capReached ? { outcome: 'quota-exceeded', usage: toQuotaUsage(capReached) } : decision;
    },
    repeatRefusal({ accountId, keyVersion, at }) {
      const state = accounts.get(accountId);
      if (!state?.isRefusing) return null;
      if (keyVersion < state.keyVersion) return { outcome: 'key-replaced' };
      const refusal = state.windows.refusal(monotonicMs());
      return refusal && toRateLimited(refusal, at);
    },
    async refund({ accountId, quotaCost, at }) {
      if (quotaCost > 0) await counters.refund({ accountId, counter: 'api_requests', at });
    },
    replaceKey(accountId, keyVersion) {
      touch(accountId, keyVersion, monotonicMs());
    },
    windowCount: () => accounts.size,
  };
}

function toRateLimited({ limit, retryAfterMs }: WindowRefusal, at: Date) {
  return {
    outcome: 'rate-limited',
    limit,
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
    resetAtSeconds: Math.ceil((at.getTime() + retryAfterMs) / 1000),
  } as const;
}

function toQuotaUsage({ spent, cap, renewsAt }: CapReached): QuotaUsage {
  return { api_requests: spent, api_requests_per_month: cap, renews_at: renewsAt };
}
