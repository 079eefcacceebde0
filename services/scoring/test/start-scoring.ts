import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createRecordingBus } from '../../../testing/recording-bus.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { scoringSchema } from '../src/schema.ts';
import { createScoringServer } from '../src/server.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type Scoring = Awaited<ReturnType<ReturnType<typeof createHarness>['startScoring']>>;

/**
 * Boots the real service on the empty database of the file. Its client is in the same process, as in the product, unless
 * `isRemote`. Only the store, the clock and the bus are fakes. The service is stopped after each test.
 */
export function createHarness() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  // After the hook, which still needs the connections.
  const database = useDatabase(scoringSchema);

  async function startScoring(options: { database?: string; hasBus?: boolean; isRemote?: boolean } = {}) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const { name, connection } =
      options.database === undefined ? await database.take() : await database.join(options.database);
    const clock = createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(clock.now);
    const bus = createRecordingBus();
    let isStopping = false;
    /** A stop does not wait for the calls in flight: it gives them up. */
    const sleep: Sleep = (ms, signal) => (isStopping ? Promise.resolve() : clock.sleep(ms, signal));
    const server = createScoringServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: store.client,
      bus: options.hasBus === false ? null : bus,
      logger,
      metrics: createMetrics(),
      now: clock.now,
      sleep,
      listenAddress: options.isRemote ? '127.0.0.1:0' : null,
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: ScoringServiceService,
      name: 'scoring',
      address: options.isRemote ? server.address() : server.inProcess,
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= stopAll();
      return stopped;
    };
    async function stopAll() {
      close();
      bus.fail = false;
      isStopping = true;
      await server.stop();
    }
    closing.push(stop);
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    return { client, server, store, bus, clock, connection, database: name, rows, stop };
  }
  return { startScoring };
}
