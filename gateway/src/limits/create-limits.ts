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
import { keyWindows, sessionWindows, type Windows } from './sliding-windows.ts';
import type { UsageCounters } from './usage-counters.ts';

export type Limits = {
  /** of calls with a key */
  decider: LimitDecider;
  /** of calls of the dashboard's sessions: windows of their own, the same key versions and quota */
  sessionDecider: LimitDecider;
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
  const replacedKeys = createReplacedKeys();
  const createLocal = (sizes: Windows) => {
    const windows = createAccountWindows(sizes, monotonicMs);
    return { windows, local: createInProcessDecider({ counters, windows, replacedKeys, monotonicMs }) };
  };
  const ofKeys = createLocal(keyWindows);
  const ofSessions = createLocal(sessionWindows);
  const windowCount = () => ofKeys.windows.count() + ofSessions.windows.count();
  if (!redis)
    return {
      decider: ofKeys.local,
      sessionDecider: ofSessions.local,
      replaceKey: async (accountId, keyVersion) => replacedKeys.add(accountId, keyVersion),
      windowCount,
      status: inMemoryStatus,
    };

  const redisLimits = createRedisLimits(redis);
  const shared = { counters, findKeyVersion, onLocalDecision, monotonicMs };
  return {
    decider: createRedisDecider({ ...shared, ...ofKeys, redis: redisLimits }),
    sessionDecider: createRedisDecider({
      ...shared,
      ...ofSessions,
      redis: createRedisLimits(redis, sessionWindows),
    }),
    async replaceKey(accountId, keyVersion) {
      replacedKeys.add(accountId, keyVersion);
      await publishKeyVersion({ accountId, keyVersion }, { redis: redisLimits, logger });
    },
    windowCount,
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
