import { stores } from '@shelfwise/facts/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createDailyRun } from '@shelfwise/runtime/lanes/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/lanes/daily-run-metrics';
import type { DueWork } from '@shelfwise/runtime/lanes/due-work';
import { createLane } from '@shelfwise/runtime/lanes/lane';
import { createProgressCounter } from '@shelfwise/runtime/lanes/progress-counter';
import type { Sleep } from '@shelfwise/runtime/lanes/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { createCounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import { createSourceGuard } from '@shelfwise/runtime/source-guard';
import type { Connection, Model } from 'mongoose';
import { createAccountLocks } from './account-locks.ts';
import { createApplicationSweeper } from './application-sweeper.ts';
import { createListingPlanner } from './daily-run/listing-planner.ts';
import { createListingWork } from './daily-run/listing-work.ts';
import { createMarketPlanner } from './daily-run/market-planner.ts';
import { createMarketWork } from './daily-run/market-work.ts';
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
  const laneOf = <Piece>(work: DueWork<Piece>) =>
    createLane({ work, logger, metrics: deps.metrics, now, sleep });
  const marketLanes = stores.map((store) =>
    laneOf(createMarketWork({ store, dueMarkets, trackedKeywords, snapshotTaker, now, random })),
  );
  const listingLanes = stores.map((store) =>
    laneOf(
      createListingWork({
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
    what: 'markets',
    readToday: 'Tracked markets that have a snapshot of this UTC day',
  });
  const counter = createProgressCounter({ planned: dueMarkets, metrics: dailyRunMetrics, now, sleep });
  const dailyRun = createDailyRun({
    isOn: deps.isInDailyRun,
    lanes: [...marketLanes, ...listingLanes],
    what: 'markets',
    background: [
      createMarketPlanner({ dueMarkets, trackedKeywords, logger, now, sleep }),
      createListingPlanner({ dueListings, trackedApps, competitors, logger, now, sleep }),
      counter,
    ],
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
    marketLanes,
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
      markets.model,
      snapshots.model,
      trackedKeywords.model,
    ] as unknown as Model<unknown>[],
    now,
    wake,
  };
}
