import type { Logger } from '@shelfwise/runtime/log/logger';
import { RedisUnavailable } from '@shelfwise/runtime/redis/connect-redis';
import type { RedisLimits } from './redis-limits.ts';

/**
 * Makes Redis refuse the older keys of an account in every gateway, from the moment that the returned promise resolves.
 * Without Redis a gateway notices the change in the database within a second.
 */
export async function publishKeyVersion(
  { accountId, keyVersion }: { accountId: string; keyVersion: number },
  deps: { redis: Pick<RedisLimits, 'setKeyVersion'>; logger: Logger },
): Promise<void> {
  try {
    await deps.redis.setKeyVersion(accountId, keyVersion);
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error;
    deps.logger.warn(
      { account_id: accountId, reason: error.message },
      'Redis does not know of a replaced key; other gateways refuse it within a second',
    );
  }
}
