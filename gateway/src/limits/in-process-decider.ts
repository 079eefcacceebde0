import type { LimitDecider, LimitDecision, QuotaUsage } from './limit-decider.ts';
import { createSlidingWindows, type SlidingWindows, windowsForgottenAfterMs } from './sliding-windows.ts';
import type { CapReached, UsageCounters } from './usage-counters.ts';

type AccountState = { windows: SlidingWindows; keyVersion: number; touchedMs: number };

/**
 * Decides with windows of this process alone; the quota is counted in the database. The windows are decided without a
 * pause, so that no two calls can take one place. Memory is bounded by the accounts that called in the last minute.
 */
export function createInProcessDecider(deps: {
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  /** never goes back, in ms */
  monotonicMs: () => number;
}): LimitDecider {
  const { counters, monotonicMs } = deps;
  /** In the order of their last call: the idle ones stand in front. */
  const accounts = new Map<string, AccountState>();

  function touch(accountId: string, keyVersion: number, nowMs: number): AccountState {
    const state = accounts.get(accountId) ?? {
      windows: createSlidingWindows(),
      keyVersion,
      touchedMs: nowMs,
    };
    state.touchedMs = nowMs;
    state.keyVersion = Math.max(state.keyVersion, keyVersion);
    accounts.delete(accountId);
    accounts.set(accountId, state);
    return state;
  }

  function forgetIdle(nowMs: number): void {
    for (const [accountId, { touchedMs }] of accounts) {
      if (nowMs - touchedMs < windowsForgottenAfterMs) return;
      accounts.delete(accountId);
    }
  }

  function decideWindows(accountId: string, keyVersion: number, at: Date): LimitDecision {
    const nowMs = monotonicMs();
    forgetIdle(nowMs);
    const state = touch(accountId, keyVersion, nowMs);
    if (keyVersion < state.keyVersion) return { outcome: 'key-replaced' };
    const refusal = state.windows.admit(nowMs);
    if (!refusal) return { outcome: 'admitted' };
    return {
      outcome: 'rate-limited',
      limit: refusal.limit,
      retryAfterSeconds: Math.max(1, Math.ceil(refusal.retryAfterMs / 1000)),
      resetAtSeconds: Math.ceil((at.getTime() + refusal.retryAfterMs) / 1000),
    };
  }

  return {
    async decide({ accountId, keyVersion, quotaCost, quotaLimit, at }) {
      const decision = decideWindows(accountId, keyVersion, at);
      if (decision.outcome !== 'admitted' || quotaCost === 0) return decision;
      const reached = await counters.spend({ accountId, counter: 'api_requests', cap: quotaLimit, at });
      return reached ? { outcome: 'quota-exceeded', usage: toQuotaUsage(reached) } : decision;
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

function toQuotaUsage({ spent, cap, renewsAt }: CapReached): QuotaUsage {
  return { api_requests: spent, api_requests_per_month: cap, renews_at: renewsAt };
}
