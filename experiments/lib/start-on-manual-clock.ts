import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createScoringServer } from '@shelfwise/scoring/server';
import type { CallWithBudget } from '@shelfwise/store-fetch/budget/call-with-budget';
import { createAnswerCache } from '@shelfwise/store-fetch/cache/answer-cache';
import { createStorefrontDoubt } from '@shelfwise/store-fetch/empty-pages/storefront-doubt';
import { createStoreFetchServer } from '@shelfwise/store-fetch/server';
import type { StoreSource } from '@shelfwise/store-fetch/source';
import { createAppStoreSource } from '@shelfwise/store-fetch/sources/app-store/app-store-source';
import { createGooglePlaySource } from '@shelfwise/store-fetch/sources/google-play/google-play-source';
import { createLiveSource } from '@shelfwise/store-fetch/sources/live-source';
import type { Clock } from '@shelfwise/store-fetch/store-health/clock';
import { type Endpoint, endpoints } from '@shelfwise/store-fetch/store-health/endpoints';
import {
  iconNotFound,
  StoreFailure,
  storeFetchFailed,
} from '@shelfwise/store-fetch/store-health/store-failure';
import { createDoubtedStorefrontStore } from '@shelfwise/store-fetch/stores/doubted-storefront-store';
import { createSearchTermStore } from '@shelfwise/store-fetch/stores/search-term-store';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import { createTrackingServer } from '@shelfwise/tracking/server';
import { createManualClock } from '../../testing/manual-clock.ts';
import { monitored } from '../../testing/record-commands.ts';
import { createCleanup } from './cleanup.ts';

const timeoutMs = 30_000;
/** The system is idle after this number of looks in a row that find nothing in progress. */
const idleLooks = 4;
const lookMs = 2;

export type ClockedSystem = Awaited<ReturnType<typeof startOnManualClock>>;

/**
 * store-fetch, tracking with its daily run, and scoring, in this process, on a stand-in for both stores and with a clock that
 * only `advance` moves. Call budgets do not limit anything; calls are counted.
 */
export async function startOnManualClock(store: string, { at, logger }: { at: string; logger: Logger }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-clock-'));
  const cleanup = createCleanup();
  cleanup.add(() => rmSync(dataDir, { recursive: true, force: true }));
  const engine = await startEngine({ dataDir });
  cleanup.add(() => engine.stop());
  /** Calls of the store and commands of the databases. */
  let inFlight = 0;
  const clock = createManualClock(at);
  const { now, sleep } = clock;
  const connect = async (database: string) => {
    const connection = await connectMongo({ uri: monitored(engine.mongodbUri), database, logger });
    const client = connection.getClient();
    client.on('commandStarted', () => inFlight++);
    for (const ended of ['commandSucceeded', 'commandFailed'] as const) client.on(ended, () => inFlight--);
    cleanup.add(() => connection.close());
    return connection;
  };
  const calls = new Map<Endpoint, number>();
  const callWithBudget: CallWithBudget = async ({ endpoint, signal }, attempt) => {
    calls.set(endpoint, (calls.get(endpoint) ?? 0) + 1);
    inFlight++;
    try {
      return await attempt({ dispatcher: undefined, signal });
    } catch (error) {
      throw error instanceof StoreFailure ? storeFetchFailed(endpoints[endpoint].store, error) : error;
    } finally {
      inFlight--;
    }
  };

  const storeConnection = await connect('shelfwise_store_fetch');
  const doubt = createStorefrontDoubt({ storefronts: createDoubtedStorefrontStore(storeConnection), now });
  const { stop, ...reads } = createLiveSource({
    stores: {
      ITUNES: createAppStoreSource({
        callWithBudget,
        urls: { itunes: store, hints: store, apps: store },
        timeoutMs,
        now,
      }),
      GPLAY: createGooglePlaySource({ callWithBudget, baseUrl: store, timeoutMs, now }),
    },
    cache: createAnswerCache({ maxBytes: 64 * 1024 * 1024, now }),
    now,
    onCacheLookup: () => {},
    emptyPages: { terms: createSearchTermStore(storeConnection), doubt, clock: toClock(clock) },
  });
  cleanup.add(() => stop());

  const common = () => ({
    logger,
    metrics: createMetrics(),
    isDatabaseEmbedded: true,
    now,
    listenAddress: null,
  });
  const source: StoreSource = {
    ...reads,
    icon: async () => {
      throw iconNotFound();
    },
  };
  const storeFetch = createStoreFetchServer({ ...common(), source, checks: {}, connection: storeConnection });
  await storeFetch.start();
  cleanup.add(() => storeFetch.stop());
  const storeClient = createGrpcClient({
    service: StoreFetchServiceService,
    name: 'store-fetch',
    address: storeFetch.inProcess,
  });
  const trackingConnection = await connect('shelfwise_tracking');
  const scoringConnection = await connect('shelfwise_scoring');
  const served = { storeFetch: storeClient.client, bus: null, sleep };
  const trackingDeps = { ...common(), ...served, connection: trackingConnection };
  const tracking = createTrackingServer({ ...trackingDeps, dailyRun: true });
  const scoring = createScoringServer({ ...common(), ...served, connection: scoringConnection });
  for (const server of [tracking, scoring]) {
    await server.start();
    cleanup.add(() => server.stop());
  }

  /** Resolves when nothing is in progress but sleeps. */
  async function settle(): Promise<void> {
    let looks = 0;
    for (let sleeping = -1; looks < idleLooks; sleeping = clock.sleeping()) {
      const isIdle = inFlight === 0 && sleeping === clock.sleeping();
      looks = isIdle ? looks + 1 : 0;
      await pause(lookMs);
    }
  }

  return {
    clock,
    doubt,
    tracking: createGrpcClient({
      service: TrackingServiceService,
      name: 'tracking',
      address: tracking.inProcess,
    }).client,
    scoring: createGrpcClient({
      service: ScoringServiceService,
      name: 'scoring',
      address: scoring.inProcess,
    }).client,
    stores: createStores(trackingConnection),
    snapshotRows: () => trackingConnection.collection('snapshots').find({}).toArray(),
    calls: (endpoint: Endpoint) => calls.get(endpoint) ?? 0,
    settle,

    /** Moves the clock in steps; after each, waits until everything that became due is done. */
    async advance(ms: number, stepMs: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(Math.min(stepMs, ms - passed));
        await settle();
      }
    },

    stop: cleanup.run,
  };
}

function toClock({ now, sleep }: ReturnType<typeof createManualClock>): Clock {
  return {
    now,
    after(ms, run) {
      const canceled = new AbortController();
      void sleep(ms, canceled.signal).then(() => {
        if (!canceled.signal.aborted) run();
      });
      return () => canceled.abort();
    },
  };
}
