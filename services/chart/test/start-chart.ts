import { randomUUID } from 'node:crypto';
import { ChartServiceService, type GetTopChartRequest } from '@shelfwise/proto/chart/v1/chart';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createChartServer } from '../src/server.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type Chart = Awaited<ReturnType<ReturnType<typeof createHarness>['startChart']>>;

/** The OVERALL chart of free apps in the US App Store. */
export const topFree: GetTopChartRequest = {
  store: 'ITUNES',
  country: 'US',
  category: 'OVERALL',
  collection: 'FREE',
  limit: 100,
};

/**
 * Starts the real service on a free port with a database of its own: on the server of MONGODB_URI if set, else on the
 * embedded engine. Stops and drops everything after the tests.
 */
export function createHarness() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const engine = useDatabaseServer();

  async function startChart(options: { database?: string; dailyRun?: boolean; clock?: ManualClock } = {}) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const database = options.database ?? `chart_${randomUUID().slice(0, 18)}`;
    const connection = await connectMongo({ uri: engine(), database, logger });
    const clock = options.clock ?? createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(clock.now);
    const metrics = createMetrics();
    const server = createChartServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: store.client,
      logger,
      metrics,
      now: clock.now,
      sleep: clock.sleep,
      dailyRun: options.dailyRun ?? false,
      listenAddress: '127.0.0.1:0',
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: ChartServiceService,
      name: 'chart',
      address: server.address(),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= (async () => {
        close();
        // When it stops, the daily run waits for running reads on the test's clock, which only this timer moves.
        // Without a daily run the clock does not move, however long the stop takes.
        const giveUp = options.dailyRun ? setTimeout(() => clock.advance(3000), 200) : undefined;
        await server.stop();
        clearTimeout(giveUp);
      })();
      return stopped;
    };
    closing.push(async () => {
      try {
        await stop();
        // Reconnects, because a test may have closed the connection.
        await connection.getClient().connect();
        if (options.database === undefined) await connection.dropDatabase();
      } finally {
        await connection.close();
      }
    });
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    const days = async () => (await rows('chart_snapshots')).map(({ _id }) => String(_id)).sort();
    return { client, server, store, metrics, clock, connection, database, rows, days, stop };
  }
  return { startChart };
}

/** The sleeping loops of an idle copy in the daily run: two workers, the sweep and the counter. */
const sleepersWhenIdle = 4;

/** Waits until the copies in the daily run on one clock have done everything that is due, or are paused. */
export async function untilIdle(clock: ManualClock, copies = 1): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await until(() => clock.sleeping() === copies * sleepersWhenIdle);
}
