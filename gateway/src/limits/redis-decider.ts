import { RedisUnavailable } from '@shelfwise/runtime/redis/connect-redis';
import type { AccountWindows } from './account-windows.ts';
import type { LimitDecider, LimitDecision, LimitedCall } from './limit-decider.ts';
import type { RedisDecision, RedisLimits } from './redis-limits.ts';
import { toQuotaUsage, type UsageCounters } from './usage-counters.ts';

/**
 * Decides in Redis, in one round trip, for all gateways together. While Redis is away the gateway decides alone, with its
 * own windows. These also hold the calls admitted by Redis: during an outage and at its end, all gateways together admit at
 * most gateways x limit.
 *
 * The quota is spent in the database before the answer; Redis has a copy, which may be wrong in both directions. A call
 * admitted by the copy is counted in the database up to the cap; a refused one is looked up there.
 */
export function createRedisDecider(deps: {
  redis: RedisLimits;
  counters: Pick<UsageCounters, 'spend' | 'findCapReached' | 'readMonth'>;
  /** The version of the account's key in the database; null when there is no such account. */
  findKeyVersion: (accountId: string) => Promise<number | null>;
  /** of this process */
  windows: AccountWindows;
  /** Decides while Redis is away, with the same windows. */
  local: LimitDecider;
  /** called for every decision without Redis */
  onLocalDecision: () => void;
  monotonicMs: () => number;
}): LimitDecider {
  const { redis, counters, findKeyVersion, windows, local, onLocalDecision, monotonicMs } = deps;

  /** Null: Redis is away. */
  async function decideInRedis(
    call: LimitedCall,
  ): Promise<{ decision: RedisDecision; sentMs: number } | null> {
    const first = await ask(call);
    if (first?.decision.outcome !== 'missing') return first;
    const [keyVersion, { api_requests: spent }] = await Promise.all([
      findKeyVersion(call.accountId),
      counters.readMonth(call.accountId, call.at),
    ]);
    if (keyVersion === null) return { ...first, decision: { outcome: 'key-replaced' } };
    return ask(call, { keyVersion, spent });
  }

  async function ask(call: LimitedCall, loaded?: { keyVersion: number; spent: number }) {
    const sentMs = monotonicMs();
    const decision = await unlessAway(redis.decide(call, loaded));
    return decision && { decision, sentMs };
  }

  async function spend(call: LimitedCall, isCopyFull: boolean): Promise<LimitDecision> {
    const { accountId, quotaLimit: cap, at } = call;
    const use = { accountId, counter: 'api_requests', at } as const;
    const confirmed = isCopyFull && cap !== null ? await counters.findCapReached({ ...use, cap }) : null;
    const capReached = confirmed ?? (await counters.spend({ ...use, cap }));
    // The copy disagreed with the database.
    if (isCopyFull !== (capReached !== null)) await unlessAway(redis.dropQuota(call));
    return capReached
      ? { outcome: 'quota-exceeded', usage: toQuotaUsage(capReached) }
      : { outcome: 'admitted' };
  }

  return {
    async decide(call) {
      const shared = await decideInRedis(call);
      if (shared === null) {
        onLocalDecision();
        return local.decide(call);
      }
      const { decision, sentMs } = shared;
      if (decision.outcome === 'missing') throw new Error('Redis misses what it has just been given');
      if (decision.outcome === 'rate-limited') return decision;
      if (decision.outcome === 'key-replaced') return { outcome: 'key-replaced' };
      // Counted from before Redis did and checked after: without an outage these windows are never full first.
      const refusal = windows.admit(call.accountId, sentMs);
      if (refusal) return refusal;
      if (call.quotaCost === 0) return { outcome: 'admitted' };
      return spend(call, decision.outcome === 'quota-exceeded');
    },
    async refund(spent) {
      await local.refund(spent);
      if (spent.quotaCost > 0) await unlessAway(redis.refund(spent));
    },
  };
}

/** Null while Redis is away. */
async function unlessAway<Result>(command: Promise<Result>): Promise<Result | null> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof RedisUnavailable) return null;
    throw error;
  }
}
