import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo';
import { createSource } from '../src/create-source.ts';

/**
 * Live sources as the service has them, with every call to both stores going to one address and budgets that no test
 * reaches. They are kept on a server when MONGODB_URI is set, on the embedded engine otherwise; everything is stopped
 * and dropped after the tests.
 */
export function useLiveSources() {
  const closing: (() => Promise<unknown>)[] = [];
  let uri = process.env.MONGODB_URI ?? '';
  beforeAll(async () => {
    if (uri !== '') return;
    const dataDir = await mkdtemp(join(tmpdir(), 'store-fetch-'));
    const engine = await startEngine({ dataDir });
    uri = engine.mongodbUri;
    closing.push(
      () => rm(dataDir, { recursive: true }),
      () => engine.stop(),
    );
  });
  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  return async function openLiveSource(storeUrl: string, settings: { timeoutMs?: number } = {}) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const database = `store_fetch_${randomUUID().slice(0, 18)}`;
    const connection = await connectMongo({ uri, database, logger });
    const { stop, ...chosen } = createSource(
      {
        STORE_SOURCE: 'live',
        STORE_TIMEOUT_MS: settings.timeoutMs ?? 5_000,
        STORE_ITUNES_URL: storeUrl,
        STORE_ITUNES_HINTS_URL: storeUrl,
        STORE_APPS_URL: storeUrl,
        STORE_PLAY_URL: storeUrl,
        STORE_PROXIES: [],
        STORE_ITUNES_PER_MINUTE: 6000,
        STORE_ITUNES_HINTS_PER_MINUTE: 6000,
        STORE_ITUNES_PAGES_PER_MINUTE: 6000,
        STORE_PLAY_PER_MINUTE: 6000,
      },
      { metrics: createMetrics(), now: () => new Date(), connection, isDatabaseEmbedded: true, logger },
    );
    return {
      ...chosen,
      async stop() {
        await stop();
        await connection.dropDatabase();
        await connection.close();
      },
    };
  };
}
