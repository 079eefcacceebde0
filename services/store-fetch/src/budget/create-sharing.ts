import { createHash } from 'node:crypto';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { createSharedCache } from '@shelfwise/runtime/redis/shared-cache';
import { createSharedRecords } from '@shelfwise/runtime/redis/shared-records';
import { createSharedAnswers } from '../cache/shared-answers.ts';
import type { StoreSettings } from '../config.ts';
import type { Clock } from '../store-health/clock.ts';
import { failureFactsSchema } from '../store-health/failure-facts.ts';
import { createSharedBreakers } from '../store-health/shared-breakers.ts';

/** What the copies of a live source share through Redis: breakers, answers, and questions that lastingly fail. */
export function createSharing(
  redis: RedisConnection,
  { settings, clock }: { settings: StoreSettings; clock: Clock },
) {
  const scope = scopeOf(settings);
  const answers = createSharedAnswers({ cache: createSharedCache(redis), scope, now: clock.now });
  return {
    answers,
    failures: answers.section('failure', failureFactsSchema),
    breakers: createSharedBreakers({ records: createSharedRecords(redis), scope, clock }),
  };
}

/** The part of the health page; none without REDIS_URL. */
export function sharingChecks(redis: RedisConnection | undefined): Record<string, StatusCheck> {
  return redis ? { [partName]: sharingStatus(redis) } : {};
}

const partName = 'store sharing';

function sharingStatus(redis: RedisConnection): StatusCheck {
  return async () => {
    const status = await redis.status();
    const detail = redis.isAvailable()
      ? 'all copies share breakers and answers'
      : `breakers and answers per copy without Redis (${status.detail})`;
    return { ...status, name: partName, detail };
  };
}

/** Copies that call other addresses of a store, such as a replay of recordings, share nothing. */
function scopeOf(settings: StoreSettings): string {
  const { STORE_ITUNES_URL, STORE_ITUNES_HINTS_URL, STORE_APPS_URL, STORE_PLAY_URL } = settings;
  const urls = [STORE_ITUNES_URL, STORE_ITUNES_HINTS_URL, STORE_APPS_URL, STORE_PLAY_URL];
  return createHash('sha256').update(urls.join(' ')).digest('base64url').slice(0, 12);
}
