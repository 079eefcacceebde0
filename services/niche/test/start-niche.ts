import {
  type AnalyzeNicheRequest,
  type NicheAnalysis,
  NicheServiceService,
} from '@shelfwise/proto/niche/v1/niche';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { callWithin } from '../../../testing/call-within.ts';
import { createGate } from '../../../testing/gate.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { useClosing } from '../../../testing/use-closing.ts';
import { type TestDatabase, useDatabase } from '../../../testing/use-database.ts';
import { nicheSchema } from '../src/schema.ts';
import { createNicheServer } from '../src/server.ts';
import { createAnalysisQueueStore } from '../src/stores/analysis-queue-store.ts';
import { nicheKey } from '../src/stores/analysis-store.ts';
import { createFakeScoring, familyTerms } from './fake-scoring.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';

export type NicheService = Awaited<ReturnType<ReturnType<typeof createHarness>['startNiche']>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

/**
 * Starts the real service on the database of the file, which is empty when a test starts. Its client is in the same
 * process, as in the product, unless `isRemote`. Scoring, the store and the clock are fakes. After each test the
 * services are stopped.
 */
export function createHarness() {
  const closing = useClosing();
  // After its hook, which still needs the connection.
  const database = useDatabase(nicheSchema);

  /**
   * `copyOf` starts another copy of a service with the same database and fakes, whose clock is `aheadMs` ahead.
   * `isQuiet` logs only the progress and outcome of analyses, warnings and errors. `isRemote`: the client calls over
   * gRPC, on a free port.
   */
  async function startNiche({
    copyOf,
    aheadMs = 0,
    isQuiet = false,
    isRemote = false,
  }: {
    copyOf?: Shared;
    aheadMs?: number;
    isQuiet?: boolean;
    isRemote?: boolean;
  } = {}) {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
    const logger = createLogger({ name: 'test', level: isQuiet ? 'warn' : 'info', destination });
    const progressLogger = logger.child({}, { level: 'info' });
    const shared = copyOf ?? createShared(await database.take());
    const { clock, store, scoring } = shared;
    const connection = copyOf ? database.view(shared.database, 1) : shared.database.connection;
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
      listenAddress: isRemote ? '127.0.0.1:0' : null,
      progressLogger: isQuiet ? progressLogger : logger,
    });
    await server.start();
    const { client, close } = createGrpcClient({
      service: NicheServiceService,
      name: 'niche',
      address: isRemote ? server.address() : server.inProcess,
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= server.stop();
      return stopped;
    };
    closing.push(async () => {
      close();
      await stop();
    });
    const analyze = (request: Partial<AnalyzeNicheRequest> = {}, call = within()) =>
      client.analyzeNiche(
        { account_id: 'ann', storefront: us, topic: 'habit tracker', may_begin: true, ...request },
        call,
      );
    const hold = (hooks: { beforeAnswer: (given: never) => Promise<void> }) => {
      const { opened, open } = createGate();
      hooks.beforeAnswer = () => opened;
      return () => {
        hooks.beforeAnswer = async () => {};
        open();
      };
    };
    return {
      client,
      server,
      clock,
      store,
      scoring,
      connection,
      database: shared.database,
      untilQuiet: shared.database.untilQuiet,
      lines,
      stop,
      analyze,
      /** Hold all answers until the returned function is called. */
      holdScoring: () => hold(scoring.hooks),
      holdStore: () => hold(store.hooks),
      untilStatus: (detail: string) =>
        until(async () => (await server.checks.analyses?.())?.detail === detail),
      /** Resolves when the first term is read for an analysis. */
      untilReading: () => until(() => scoring.requestedTerms().length > 0),
      /** Only what is cached or under way. */
      find: (request: Partial<AnalyzeNicheRequest> = {}) => analyze({ ...request, may_begin: false }),
      list: (accountId = 'ann', page = 1, perPage = 50) =>
        client.listNiches({ account_id: accountId, page, per_page: perPage }, within()),
      /** The analysis of a copy that died while it ran. */
      queueDead: (topic: string) =>
        createAnalysisQueueStore(connection).replace({
          _id: 'ITUNES',
          version: 0,
          entries: [
            {
              id: 'lost',
              key: nicheKey({ storefront: us, topic }),
              holder: 'dead copy',
              callers: ['dan'],
              runs_for: 'dan',
              renewals: 7,
            },
          ],
          turns: [],
          failures: [],
        }),
      rows: (collection: string) => connection.collection<{ _id: string }>(collection).find({}).toArray(),
    };
  }
  return { startNiche };
}

type Shared = ReturnType<typeof createShared>;

function createShared(database: TestDatabase) {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const store = createFakeStoreFetch(clock.now);
  store.shown.terms = habitTerms(12);
  const planners = ['Lark', 'Oakly', 'Fernly'].map((name) => `${name}: Routine Planner`);
  store.shown.titles = ['Harbour: Habit Tracker', ...planners];
  return { clock, store, scoring: createFakeScoring(clock.now), database };
}

/** The names of all keywords of an analysis. */
export const keywordsOf = (analysis: NicheAnalysis | null | undefined): string[] =>
  analysis?.clusters.flatMap(({ keywords }) => keywords.map(({ name }) => name)) ?? [];

/** `count` terms for the fake store to suggest. In the fake scoring, every ten of them share their results. */
export const habitTerms = (count: number): string[] => familyTerms('habit', count);

/** The context of one call: request id, a deadline in `ms`, and a signal that cancels it. */
export function within(ms = 300_000, signal?: AbortSignal): CallOptions {
  const call: CallOptions = callWithin(ms);
  if (signal !== undefined) call.signal = signal;
  return call;
}
