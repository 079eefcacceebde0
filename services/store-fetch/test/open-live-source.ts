import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import type { Connection } from 'mongoose';
import { startLiveSource } from '../src/start-live-source.ts';

export type LiveOptions = {
  timeoutMs?: number;
  itunesPerMinute?: number;
  redis?: RedisConnection;
  now?: () => Date;
};

/**
 * A live source as in production, except that both stores have one address, retries do not wait and no test reaches a
 * budget.
 */
export function openLiveSource(storeUrl: string, connection: Connection, options: LiveOptions = {}) {
  const { timeoutMs = 60_000, itunesPerMinute = 6000, redis, now = () => new Date() } = options;
  const metrics = createMetrics();
  const { stop, ...live } = startLiveSource(
    {
      STORE_SOURCE: 'live',
      STORE_TIMEOUT_MS: timeoutMs,
      STORE_ITUNES_URL: storeUrl,
      STORE_ITUNES_HINTS_URL: storeUrl,
      STORE_APPS_URL: storeUrl,
      STORE_PLAY_URL: storeUrl,
      STORE_PROXIES: [],
      STORE_ITUNES_PER_MINUTE: itunesPerMinute,
      STORE_ITUNES_HINTS_PER_MINUTE: 6000,
      STORE_ITUNES_PAGES_PER_MINUTE: 6000,
      STORE_PLAY_PER_MINUTE: 6000,
    },
    {
      metrics,
      now,
      connection,
      isDatabaseEmbedded: true,
      logger: createLogger({ name: 'test', level: 'silent', destination: process.stdout }),
      redis,
      // Retries follow at once.
      random: () => 0,
    },
  );
  return {
    ...live,
    metrics,
    async stop() {
      live.refuseQueued();
      await stop();
    },
  };
}
