import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { createRecordingBus } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { trackingSchema } from '../src/schema.ts';
import { createTrackingServer } from '../src/server.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type Tracking = Awaited<ReturnType<ReturnType<typeof createHarness>['startTracking']>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

/**
 * Starts the real service on a free port and an empty database: on the server at MONGODB_URI if set, else on the embedded
 * engine. After the test it is stopped.
 */
export function createHarness() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  // After the hook, which still needs the connections.
  const database = useDatabase(trackingSchema);

  async function startTracking(
    options: {
      database?: string;
      hasBus?: boolean;
      dailyRun?: boolean;
      snapshotDays?: number;
      clock?: ManualClock;
    } = {},
  ) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const { name, connection } =
      options.database === undefined ? await database.take() : await database.join(options.database);
    const clock = options.clock ?? createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(() => clock.at);
    const bus = createRecordingBus();
    const metrics = createMetrics();
    const server = createTrackingServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: store.client,
      bus: options.hasBus === false ? null : bus,
      logger,
      metrics,
      now: clock.now,
      sleep: clock.sleep,
      dailyRun: options.dailyRun ?? false,
      snapshotDays: options.snapshotDays ?? null,
      listenAddress: '127.0.0.1:0',
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: TrackingServiceService,
      name: 'tracking',
      address: server.address(),
    });
    const stop = once(async () => {
      close();
      bus.fail = false;
      // A stop gives up running jobs after 3 s of the test's clock, which only this timer moves. Without the daily
      // run the clock stands still, however long the stop takes.
      const giveUp = options.dailyRun ? setTimeout(() => clock.advance(3000), 200) : undefined;
      await server.stop();
      clearTimeout(giveUp);
    });
    closing.push(stop);
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    return { client, server, store, bus, metrics, clock, connection, database: name, rows, stop };
  }
  return { startTracking, clear: database.clear };
}

/** The number of sleeps in an idle copy that takes part in the daily run: four workers and the progress counter. */
const waitingWhenQuiet = 5;

/** Waits until the copies of the daily run on one clock have done everything that is due or wait for a pause to end. */
export async function quiet(clock: ManualClock, copies = 1): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await until(() => clock.sleeping() === copies * waitingWhenQuiet);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** The context of one call: the request id and the deadline. */
export function within(ms = 10_000) {
  return { requestId: 'request-1', deadline: new Date(Date.now() + ms) };
}

/** Tracks an app of the US App Store and returns its internal id. */
export async function trackApp({ client }: Tracking, accountId: string, appId = '1001'): Promise<number> {
  return (await client.trackApplication({ account_id: accountId, storefront: us, app_id: appId }, within()))
    .id;
}

/** Adds a competitor to an app of the US App Store. */
export function trackCompetitor(
  { client }: Tracking,
  accountId: string,
  appId: number,
  competitorAppId: string,
) {
  return client.trackCompetitor(
    { account_id: accountId, app_id: appId, competitor_app_id: competitorAppId, storefront: us },
    within(),
  );
}

/** Tracks keywords and returns their ids by keyword. Every keyword must succeed. */
export async function trackKeywords(
  { client }: Tracking,
  accountId: string,
  appId: number,
  keywords: string[],
): Promise<Map<string, number>> {
  const { results } = await client.trackKeywords(
    { account_id: accountId, app_id: appId, storefront: us, keywords },
    within(),
  );
  expect(results.filter(({ outcome }) => outcome?.$case !== 'success')).toEqual([]);
  const list = await client.listKeywords(
    { account_id: accountId, app_id: appId, favorites_only: false, page: 1, per_page: 1000 },
    within(),
  );
  return new Map(list.keywords.map(({ keyword, keyword_id: keywordId }) => [keyword, keywordId]));
}
