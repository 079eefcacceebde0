import { randomUUID } from 'node:crypto';
import { type AnalyzeNicheRequest, NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { emptyQueue } from '../src/domain/analysis-queue.ts';
import { createNicheServer } from '../src/server.ts';
import { createAnalysisQueueStore } from '../src/stores/analysis-queue-store.ts';
import { nicheKey } from '../src/stores/analysis-store.ts';
import { createFakeScoring, familyTerms } from './fake-scoring.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type NicheService = Awaited<ReturnType<ReturnType<typeof createHarness>['startNiche']>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

/**
 * Starts the real service on a free port with its own database: on a server when MONGODB_URI is set, else in the
 * embedded engine. Scoring, the store and the clock are fakes. After each test the services are stopped and their
 * databases dropped.
 */
export function createHarness() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const database = useDatabaseServer();

  /**
   * `copyOf` starts another copy of a service with the same database and fakes, whose clock is `aheadMs` ahead. `isQuiet` logs only the progress and
   * outcome of analyses, warnings and errors.
   */
  async function startNiche({
    copyOf,
    aheadMs = 0,
    isQuiet = false,
  }: {
    copyOf?: Shared;
    aheadMs?: number;
    isQuiet?: boolean;
  } = {}) {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
    const logger = createLogger({ name: 'test', level: isQuiet ? 'warn' : 'info', destination });
    const progressLogger = logger.child({}, { level: 'info' });
    const shared = copyOf ?? createShared();
    const { clock, store, scoring } = shared;
    const connection = await connectMongo({ uri: database(), database: shared.database, logger });
    const server = createNicheServer({
      connection,
      isDatabaseEmbedded: true,
      storeFetch: store.client,
      scoring: scoring.client,
      logger,
      metrics: createMetrics(),
      now: () => new Date(clock.at.getTime() + aheadMs),
      monotonicMs: clock.monotonicMs,
      sleep: clock.sleep,
      listenAddress: '127.0.0.1:0',
      progressLogger: isQuiet ? progressLogger : logger,
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: NicheServiceService,
      name: 'niche',
      address: server.address(),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= server.stop();
      return stopped;
    };
    closing.push(async () => {
      close();
      await stop();
      if (!copyOf) await connection.dropDatabase();
      await connection.close();
    });
    const analyze = (request: Partial<AnalyzeNicheRequest> = {}, call = within()) =>
      client.analyzeNiche(
        { account_id: 'ann', storefront: us, topic: 'habit tracker', may_begin: true, ...request },
        call,
      );
    return {
      client,
      server,
      clock,
      store,
      scoring,
      connection,
      database: shared.database,
      lines,
      stop,
      analyze,
      /** Only what is cached or under way. */
      find: (request: Partial<AnalyzeNicheRequest> = {}) => analyze({ ...request, may_begin: false }),
      list: (accountId = 'ann', page = 1, perPage = 50) =>
        client.listNiches({ account_id: accountId, page, per_page: perPage }, within()),
      /** The analysis of a copy that died while it ran. */
      queueDead: (topic: string) =>
        createAnalysisQueueStore(connection).replace('ITUNES', 0, {
          ...emptyQueue,
          entries: [
            {
              id: 'lost',
              key: nicheKey({ storefront: us, topic }),
              holder: 'dead copy',
              callers: [{ id: 'dan', since: 1 }],
              runs_for: 'dan',
              renewals: 7,
            },
          ],
        }),
      rows: (collection: string) => connection.collection<{ _id: string }>(collection).find({}).toArray(),
    };
  }
  return { startNiche };
}

type Shared = ReturnType<typeof createShared>;

function createShared() {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const store = createFakeStoreFetch(clock.now);
  store.shown.terms = habitTerms(12);
  const planners = ['Lark', 'Oakly', 'Fernly'].map((name) => `${name}: Routine Planner`);
  store.shown.titles = ['Harbour: Habit Tracker', ...planners];
  const database = `niche_${randomUUID().slice(0, 18)}`;
  return { clock, store, scoring: createFakeScoring(clock.now), database };
}

/** `count` terms for the fake store to suggest. In the fake scoring, every ten of them share their results. */
export const habitTerms = (count: number): string[] => familyTerms('habit', count);

/** The context of one call: request id, a deadline in `ms`, and a signal that cancels it. */
export function within(ms = 300_000, signal?: AbortSignal): CallOptions {
  const call: CallOptions = { requestId: 'request-1', deadline: new Date(Date.now() + ms) };
  if (signal !== undefined) call.signal = signal;
  return call;
}
