import { randomUUID } from 'node:crypto';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createRecordingBus } from '../../../testing/recording-bus.ts';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createScoringServer } from '../src/server.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type Scoring = Awaited<ReturnType<ReturnType<typeof createHarness>['startScoring']>>;

/**
 * Boots the real service on a free port, with a database of its own on the server at MONGODB_URI, or else on the
 * embedded
 * engine. Only the store, the clock and the bus are fakes. Everything is stopped and dropped after each test.
 */
export function createHarness() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const database = useDatabaseServer();

  async function startScoring(options: { database?: string; hasBus?: boolean } = {}) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const name = options.database ?? `scoring_${randomUUID().slice(0, 18)}`;
    const connection = await connectMongo({ uri: database(), database: name, logger });
    const clock = createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(clock.now);
    const bus = createRecordingBus();
    const server = createScoringServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: store.client,
      bus: options.hasBus === false ? null : bus,
      logger,
      metrics: createMetrics(),
      now: clock.now,
      sleep: clock.sleep,
      listenAddress: '127.0.0.1:0',
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: ScoringServiceService,
      name: 'scoring',
      address: server.address(),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= stopAll();
      return stopped;
    };
    async function stopAll() {
      close();
      bus.fail = false;
      // Advances the clock, which nothing else moves, so that the calls in flight at the stop are given up.
      const giveUp = setTimeout(() => clock.advance(3000), 200);
      await server.stop();
      clearTimeout(giveUp);
    }
    closing.push(async () => {
      try {
        await stop();
        if (options.database === undefined) await connection.dropDatabase();
      } finally {
        await connection.close();
      }
    });
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    return { client, server, store, bus, clock, connection, database: name, rows, stop };
  }
  return { startScoring };
}

/** The context of a call with a deadline after `ms`. */
export function within(ms = 10_000) {
  return { requestId: 'request-1', deadline: new Date(Date.now() + ms) };
}
