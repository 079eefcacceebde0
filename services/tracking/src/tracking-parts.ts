import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { stores } from '@shelfwise/facts/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createDailyRun } from '@shelfwise/runtime/jobs/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/jobs/daily-run-metrics';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { createProgressCounter } from '@shelfwise/runtime/jobs/progress-counter';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import { createWorker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { createCounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import type { Connection, Model } from 'mongoose';
import { createAccountLocks } from './account-locks.ts';
import { createApplicationSweeper } from './application-sweeper.ts';
import { createListingJobs } from './daily-run/listing-jobs.ts';
import { createSnapshotJobs } from './daily-run/snapshot-jobs.ts';
import { createSnapshotRuns } from './daily-run/snapshot-runs.ts';
import { createListingRecorder } from './listing-recorder.ts';
import { createPageWriter } from './page-writer.ts';
import { createSnapshotTaker } from './snapshot-taker.ts';
import { createCompetitorStore } from './stores/competitor-store.ts';
import { createDueListingStore } from './stores/due-listing-store.ts';
import { createDueMarketStore } from './stores/due-market-store.ts';
import { createListingStore } from './stores/listing-store.ts';
import { createListingVersionStore } from './stores/listing-version-store.ts';
import { createMarketStore } from './stores/market-store.ts';
import { createRankedAppStore } from './stores/ranked-app-store.ts';
import { createSnapshotStore } from './stores/snapshot-store.ts';
import { createTrackedAppStore } from './stores/tracked-app-store.ts';
import { createTrackedKeywordStore } from './stores/tracked-keyword-store.ts';

/** What the handlers work with. */
export type TrackingParts = ReturnType<typeof createTrackingParts>;

export function createTrackingParts(deps: {
  connection: Connection;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  logger: Logger;
  metrics: Metrics;
  /** Whether this copy takes part in the daily run. */
  isInDailyRun: boolean;
  now: () => Date;
  sleep: Sleep;
  /** 0 to 1 */
  random: () => number;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { connection, storeFetch, logger, now, sleep, random, wake } = deps;
  const counters = createCounterStore<'competitor' | 'listing' | 'market'>(connection);
  const listings = createListingStore(connection, counters);
  const listingVersions = createListingVersionStore(connection);
  const markets = createMarketStore(connection, counters);
  const snapshots = createSnapshotStore(connection);
  const rankedApps = createRankedAppStore(connection);
  const trackedApps = createTrackedAppStore(connection);
  const trackedKeywords = createTrackedKeywordStore(connection);
  const competitors = createCompetitorStore(connection, counters);
  const sourceGuard = createSourceGuard({ connection });
  const listingRecorder = createListingRecorder({ listings, listingVersions, now, wake });
  const pageWriter = createPageWriter({ markets, snapshots, rankedApps, now, wake });
  const snapshotTaker = createSnapshotTaker({ markets, pageWriter, storeFetch, sourceGuard, now });

  const dueMarkets = createDueMarketStore(markets);
  const dueListings = createDueListingStore(listings);
  const workerOf = <Job>(work: JobSource<Job>) =>
    createWorker({ source: work, logger, metrics: deps.metrics, now, sleep });
  const snapshotWorkers = stores.map((store) =>
    workerOf(createSnapshotJobs({ store, dueMarkets, trackedKeywords, snapshotTaker, now, random })),
  );
  const listingWorkers = stores.map((store) =>
    workerOf(
      createListingJobs({
        store,
        dueListings,
        trackedApps,
        competitors,
        listingRecorder,
        storeFetch,
        sourceGuard,
        logger,
        now,
        random,
      }),
    ),
  );
  const dailyRunMetrics = createDailyRunMetrics(deps.metrics, {
    what: 'keywords',
    label: 'store',
    readToday: 'Tracked keywords that have a snapshot of this UTC day',
  });
  const counter = createProgressCounter({
    groups: stores,
    planned: dueMarkets,
    metrics: dailyRunMetrics,
    now,
    sleep,
  });
  const dailyRun = createDailyRun({
    isOn: deps.isInDailyRun,
    workers: [...snapshotWorkers, ...listingWorkers],
    what: 'keywords',
    background: [counter],
    readProgress: counter.latest,
  });

  return {
    listings,
    markets,
    dueMarkets,
    snapshots,
    rankedApps,
    trackedApps,
    trackedKeywords,
    competitors,
    storeFetch,
    sourceGuard,
    listingRecorder,
    pageWriter,
    snapshotTaker,
    snapshotWorkers,
    dailyRun,
    snapshotRuns: createSnapshotRuns({ now }),
    applicationSweeper: createApplicationSweeper({
      trackedApps,
      trackedKeywords,
      competitors,
      logger,
      now,
      wake,
    }),
    locks: createAccountLocks(),
    // The relay reads nothing but the outbox fields; mongoose's Model is invariant in its document.
    outboxes: [
      trackedApps.model,
      listings.model,
      snapshots.model,
      trackedKeywords.model,
    ] as unknown as Model<unknown>[],
    now,
    wake,
  };
}
