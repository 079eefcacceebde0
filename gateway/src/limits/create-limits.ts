import type { Logger } from '@shelfwise/runtime/log/logger';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { createAccountWindows } from './account-windows.ts';
import { createInProcessDecider } from './in-process-decider.ts';
import type { LimitDecider } from './limit-decider.ts';
import { publishKeyVersion } from './publish-key-version.ts';
import { createRedisDecider } from './redis-decider.ts';
import { createRedisLimits } from './redis-limits.ts';
import { createReplacedKeys } from './replaced-keys.ts';
import type { UsageCounters } from './usage-counters.ts';

export type Limits = {
  decider: LimitDecider;
  /** From now on a call with an older key of the account is refused, by every gateway that Redis reaches. */
  replaceKey(accountId: string, keyVersion: number): Promise<void>;
  windowCount(): number;
  status: StatusCheck;
};

/** The limits of the calls of accounts: shared through Redis, or of this process without it. */
export function createLimits(deps: {
  redis: RedisConnection | undefined;
  counters: UsageCounters;
  /** The version of the account's key in the database; null when there is no such account. */
  findKeyVersion: (accountId: string) => Promise<number | null>;
  onLocalDecision: () => void;
  logger: Logger;
  monotonicMs: () => number;
}): Limits {
  const { redis, counters, findKeyVersion, onLocalDecision, logger, monotonicMs } = deps;
  const windows = createAccountWindows(monotonicMs);
  const replacedKeys = createReplacedKeys();
  const local = createInProcessDecider({ counters, windows, replacedKeys, monotonicMs });
  if (!redis)
    return {
      decider: local,
      replaceKey: async (accountId, keyVersion) => replacedKeys.add(accountId, keyVersion),
      windowCount: windows.count,
      status: inMemoryStatus,
    };

  const redisLimits = createRedisLimits(redis);
  return {
    decider: createRedisDecider({
      redis: redisLimits,
      counters,
      findKeyVersion,
      windows,
      local,
      onLocalDecision,
      monotonicMs,
    }),
    async replaceKey(accountId, keyVersion) {
      replacedKeys.add(accountId, keyVersion);
      await publishKeyVersion({ accountId, keyVersion }, { redis: redisLimits, logger });
    },
    windowCount: windows.count,
    status: createRedisStatus(redis),
  };
}

const name = 'rate windows';

const inMemoryStatus: StatusCheck = async () => ({
  name,
  state: PartState.DEGRADED,
  detail: 'in memory, not shared: correct only while one gateway runs',
  is_embedded: true,
});

function createRedisStatus(redis: RedisConnection): StatusCheck {
  return async () => {
    const { state, detail } = await redis.status();
    const alone = 'this gateway decides alone, so that all together admit at most gateways x limit';
    return {
      name,
      state,
      detail: state === PartState.OK ? `in Redis, ${detail}` : `${alone}; Redis, ${detail}`,
      is_embedded: false,
    };
  };
}
