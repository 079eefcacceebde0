import { ChartServiceService, type GetTopChartRequest } from '@shelfwise/proto/chart/v1/chart';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { withContext } from '../../../testing/call-within.ts';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { useClosing } from '../../../testing/use-closing.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { chartSchema } from '../src/schema.ts';
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
  kept_only: false,
};

/**
 * Starts the real service on the empty database of the file: on the server at MONGODB_URI if set, else on the embedded
 * engine. Its client is in the same process, as in the product, unless `isRemote`. After the test it is stopped.
 */
export function createHarness() {
  const closing = useClosing();
  // After its hook, which still needs the connections.
  const database = useDatabase(chartSchema);

  async function startChart(
    options: {
      database?: string;
      dailyRun?: boolean;
      /** Default: none. */
      bus?: EventBus;
      clock?: ManualClock;
      /** Whether the client calls over gRPC, on a free port. */
      isRemote?: boolean;
      /** Whether this copy has its own connection, which it may lose. */
      hasOwnConnection?: boolean;
    } = {},
  ) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const { name, connection, end } = await database.startCopy(options);
    // A count of the progress takes no time: after a slow one, the next comes later.
    if (options.dailyRun) jest.spyOn(performance, 'now').mockReturnValue(0);
    const clock = options.clock ?? createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(clock.now);
    const metrics = createMetrics();
    let isStopping = false;
    /** A stop does not wait for running reads: it gives them up. */
    const sleep: Sleep = (ms, signal) => (isStopping ? Promise.resolve() : clock.sleep(ms, signal));
    const server = createChartServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: store.client,
      bus: options.bus ?? null,
      logger,
      metrics,
      now: clock.now,
      sleep,
      dailyRun: options.dailyRun ?? false,
      listenAddress: options.isRemote ? '127.0.0.1:0' : null,
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: ChartServiceService,
      name: 'chart',
      address: options.isRemote ? server.address() : server.inProcess,
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= (async () => {
        close();
        isStopping = true;
        await server.stop();
        end();
      })();
      return stopped;
    };
    closing.push(stop);
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    const days = async () => (await rows('chart_snapshots')).map(({ _id }) => String(_id)).sort();
    return {
      client: withContext(client),
      server,
      store,
      metrics,
      clock,
      connection,
      database: name,
      rows,
      days,
      stop,
    };
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
