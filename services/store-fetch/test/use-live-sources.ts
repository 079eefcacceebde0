import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createSource } from '../src/create-source.ts';

/** `database`: one that several copies share; the caller drops it. */
type LiveOptions = {
  timeoutMs?: number;
  database?: string;
  itunesPerMinute?: number;
  redis?: RedisConnection;
  now?: () => Date;
};

/**
 * Live sources as in production, except that calls to both stores go to one address and the budgets are beyond the
 * reach of any test. Stopping a source drops its database.
 */
export function useLiveSources() {
  const databaseUri = useDatabaseServer();

  return async function openLiveSource(storeUrl: string, options: LiveOptions = {}) {
    const { timeoutMs = 5_000, itunesPerMinute = 6000, redis, now = () => new Date() } = options;
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const { database = `store_fetch_${randomUUID().slice(0, 18)}` } = options;
    const connection = await connectMongo({ uri: databaseUri(), database, logger });
    const { stop, ...chosen } = createSource(
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
      { metrics: createMetrics(), now, connection, isDatabaseEmbedded: true, logger, redis },
    );
    return {
      ...chosen,
      async stop() {
        chosen.refuseQueued();
        await stop();
        await connection.dropDatabase();
        await connection.close();
      },
    };
  };
}
