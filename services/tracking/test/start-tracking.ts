import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import type { DiskSpaceWatch } from '@shelfwise/runtime/process/disk-space';
import { withContext } from '../../../testing/call-within.ts';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { createRecordingBus, type RecordingBus } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { useClosing } from '../../../testing/use-closing.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { trackingSchema } from '../src/schema.ts';
import { createTrackingServer } from '../src/server.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type Tracking = Awaited<ReturnType<ReturnType<typeof createHarness>['startTracking']>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

/** Lists all keywords of ann. */
export const listAll = { account_id: 'ann', favorites_only: false, page: 1, per_page: 1000 };

/**
 * Starts the real service on the empty database of the file: on the server at MONGODB_URI if set, else on the embedded
 * engine. Its client is in the same process, as in the product, unless `isRemote`. After the test it is stopped.
 * Tests of which none looks at an event start it without a bus: a start and a change then take half as many commands.
 */
export function createHarness(defaults: { hasBus?: boolean } = {}) {
  const closing = useClosing();
  // After its hook, which still needs the connections.
  const database = useDatabase(trackingSchema);

  async function startTracking(
    options: {
      database?: string;
      hasBus?: boolean;
      dailyRun?: boolean;
      /** How long a count of the progress takes. The next comes after 30 s, or after 20 times as long. */
      countMs?: number;
      /** The pauses of a call that waits for room in a plan; default: on the clock of the system. */
      sleepForRoom?: Sleep;
      snapshotDays?: number;
      clock?: ManualClock;
      /** The disk of the database. */
      diskSpace?: DiskSpaceWatch;
      /** Whether the client calls over gRPC, on a free port. */
      isRemote?: boolean;
      /** See `ServiceDeps`: whether it may remember rows. Default: no, because the test may start other copies, or write rows. */
      isOnlyCopy?: boolean;
      /** Whether this copy has its own connection, of which another copy may lose or count the commands. */
      hasOwnConnection?: boolean;
    } = {},
  ) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const { name, connection, end } = await database.startCopy(options);
    if (options.dailyRun) setCountTime(options.countMs ?? 0);
    const clock = options.clock ?? createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(() => clock.at);
    const recordingBus = createRecordingBus();
    const { hasBus = defaults.hasBus ?? true } = options;
    const metrics = createMetrics();
    let isStopping = false;
    /** A stop does not wait for running jobs: it gives them up. */
    const sleep: Sleep = (ms, signal) => (isStopping ? Promise.resolve() : clock.sleep(ms, signal));
    const server = createTrackingServer({
      connection,
      isDatabaseEmbedded: true,
      isOnlyCopy: options.isOnlyCopy ?? false,
      diskSpace: options.diskSpace,
      storeFetch: store.client,
      bus: hasBus ? recordingBus : null,
      logger,
      metrics,
      now: clock.now,
      sleep,
      sleepForRoom: options.sleepForRoom,
      dailyRun: options.dailyRun ?? false,
      snapshotDays: options.snapshotDays ?? null,
      listenAddress: options.isRemote ? '127.0.0.1:0' : null,
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: TrackingServiceService,
      name: 'tracking',
      address: options.isRemote ? server.address() : server.inProcess,
    });
    const stop = once(async () => {
      close();
      recordingBus.fail = false;
      isStopping = true;
      await server.stop();
      end();
    });
    closing.push(stop);
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    const bus = hasBus ? recordingBus : withoutRecords(recordingBus);
    return {
      client: withContext(client),
      server,
      store,
      bus,
      metrics,
      clock,
      connection,
      database: name,
      rows,
      stop,
    };
  }

  /** For the tests of a `describe` that only read: `start` runs once, and the rows stay until the last of them. */
  function startOnce<Started>(start: () => Promise<Started>): () => Started {
    let started: Started;
    let stops: typeof closing = [];
    beforeAll(async () => {
      await database.keep();
      started = await start();
      stops = closing.splice(0);
    });
    afterAll(async () => {
      for (const stop of stops.reverse()) await stop();
      database.release();
    });
    return () => started;
  }
  return { startTracking, startOnce, clear: database.clear };
}

/** How long each piece of work takes that is measured, on any machine. */
function setCountTime(ms: number): void {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += ms;
    return now;
  });
}

/** Of a service without a bus: no assertion about what it has published holds. */
function withoutRecords(bus: RecordingBus): RecordingBus {
  return Object.defineProperty(bus, 'published', {
    get() {
      throw new Error('this test starts tracking without a bus');
    },
  });
}

/** The sleeps of an idle copy that takes part in the daily run: four workers, the progress counter, the sweep and the packing. */
const waitingWhenQuiet = 7;

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

/** Tracks an app of the US App Store and returns its internal id. */
export async function trackApp({ client }: Tracking, accountId: string, appId = '1001'): Promise<number> {
  return (await client.trackApplication({ account_id: accountId, storefront: us, app_id: appId })).id;
}

/** Adds a competitor to an app of the US App Store. */
export function trackCompetitor(
  { client }: Tracking,
  accountId: string,
  appId: number,
  competitorAppId: string,
) {
  return client.trackCompetitor({
    account_id: accountId,
    app_id: appId,
    competitor_app_id: competitorAppId,
    storefront: us,
  });
}

/** Tracks a keyword and returns its id. */
export async function trackKeyword(tracking: Tracking, accountId: string, appId: number, keyword: string) {
  return (await trackKeywords(tracking, accountId, appId, [keyword])).get(keyword) ?? 0;
}

/** Tracks keywords and returns their ids by keyword, in the order sent. Every keyword must succeed. */
export async function trackKeywords(
  { client }: Tracking,
  accountId: string,
  appId: number,
  keywords: string[],
): Promise<Map<string, number>> {
  const { results } = await client.trackKeywords({
    account_id: accountId,
    app_id: appId,
    storefront: us,
    keywords,
  });
  expect(results.filter(({ outcome }) => outcome?.$case !== 'success')).toEqual([]);
  return new Map(results.map(({ keyword, first_rank: first }) => [keyword, first?.keyword_id ?? 0]));
}
