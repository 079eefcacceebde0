import type { AccountWindows } from './account-windows.ts';
import type { LimitDecider } from './limit-decider.ts';
import type { ReplacedKeys } from './replaced-keys.ts';
import { toQuotaUsage, type UsageCounters } from './usage-counters.ts';

/**
 * Decides with the windows of this process; the quota is counted in the database. Exact while one gateway runs; each of
 * several admits as much.
 */
export function createInProcessDecider(deps: {
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  windows: AccountWindows;
  replacedKeys: ReplacedKeys;
  monotonicMs: () => number;
}): LimitDecider {
  const { counters, windows, replacedKeys, monotonicMs } = deps;
  return {
    async decide({ accountId, keyVersion, quotaCost, quotaLimit: cap, at }) {
      if (replacedKeys.isReplaced(accountId, keyVersion)) return { outcome: 'key-replaced' };
      const refusal = windows.admit(accountId, monotonicMs());
      if (refusal) return refusal;
      if (quotaCost === 0) return { outcome: 'admitted' };
      const capReached = await counters.spend({ accountId, counter: 'api_requests', cap, at });
      return capReached
        ? { outcome: 'quota-exceeded', usage: toQuotaUsage(capReached) }
        : { outcome: 'admitted' };
    },
    async refund({ accountId, quotaCost, at }) {
      if (quotaCost > 0) await counters.refund({ accountId, counter: 'api_requests', at });
    },
  };
}
