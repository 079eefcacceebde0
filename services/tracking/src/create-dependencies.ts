import { createSourceGuard } from '@shelfwise/facts/source-guard';
import type { JobTarget } from '@shelfwise/proto/jobs/v1/jobs';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { keptDays, maxBatchItems } from '@shelfwise/runtime/bulk/bulk-job';
import { createBulkJobStore } from '@shelfwise/runtime/bulk/bulk-job-store';
import { createBulkJobs } from '@shelfwise/runtime/bulk/bulk-jobs';
import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { type Sleep, sleep as systemSleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { createCapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createLease } from '@shelfwise/runtime/mongo/lease';
import { createReservationStore } from '@shelfwise/runtime/mongo/reservation-store';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { Connection, Model } from 'mongoose';
import { createAppRemovals } from './accounts/app-removals.ts';
import { createTrackingDailyRun } from './daily-run/create-daily-run.ts';
import { createDayRun } from './daily-run/day-run.ts';
import { createPageBatches } from './daily-run/page-batches.ts';
import { createSecondLook } from './daily-run/second-look.ts';
import { createSnapshotRuns, runLeaseMs } from './daily-run/snapshot-runs.ts';
import { createTakeSnapshot } from './daily-run/take-snapshot.ts';
import { createOrderingTurns } from './keywords/ordering-turns.ts';
import { createAddTrackedListing } from './listings/add-tracked-listing.ts';
import { createFindTrackedListing } from './listings/find-tracked-listing.ts';
import { createReadListing } from './listings/read-listing.ts';
import { createRecordListing } from './listings/record-listing.ts';
import { createRecordMissing } from './listings/record-missing.ts';
import { createPackPastDays } from './snapshots/pack-past-days.ts';
import { createReadResultPage } from './snapshots/read-result-page.ts';
import { createSaveResultPages } from './snapshots/save-result-pages.ts';
import { createCompetitorStore } from './stores/competitor-store.ts';
import { createDueKeywordMarketStore } from './stores/due-keyword-market-store.ts';
import { createDueListingStore } from './stores/due-listing-store.ts';
import { createKeywordMarketStore } from './stores/keyword-market-store.ts';
import { createListingStore } from './stores/listing-store.ts';
import { createListingVersionStore } from './stores/listing-version-store.ts';
import { createNoteStore } from './stores/note-store.ts';
import { createRankedAppStore } from './stores/ranked-app-store.ts';
import { createSecondLookStore } from './stores/second-look-store.ts';
import { createSnapshotRunStore } from './stores/snapshot-run-store.ts';
import { createSnapshotStore } from './stores/snapshot-store.ts';
import { createTrackedAppStore } from './stores/tracked-app-store.ts';
import { createTrackedKeywordStore } from './stores/tracked-keyword-store.ts';

/** Days after a packing day until snapshots are packed: more than the clocks of two copies differ. */
const packedAfterDays = 3;

type Deps = {
  connection: Connection;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  logger: Logger;
  metrics: Metrics;
  /** The disk of an embedded database. */
  diskSpace?: DiskSpace | undefined;
  isInDailyRun: boolean;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  /** See `ServiceDeps`. */
  isOnlyCopy: boolean;
  /** How long the result pages of past days are kept; null: forever. */
  snapshotDays: number | null;
  now: () => Date;
  sleep: Sleep;
  /** For the pauses of a call that waits for room in a plan; default: the system clock */
  sleepForRoom?: Sleep | undefined;
  /** A random number from 0 to 1. */
  random: () => number;
  /** Called after an event is written. */
  wakeRelay: WakeRelay;
};

export type Dependencies = ReturnType<typeof createDependencies>;

/** Creates and wires all parts of the service; `server.ts` passes each handler what it uses. */
export function createDependencies(deps: Deps) {
  const { connection, storeFetch, logger, now, sleep, wakeRelay } = deps;
  const stores = createStores(connection, deps);

  const sourceGuard = createSourceGuard({ connection });
  const recordListing = createRecordListing({ ...stores, now, wakeRelay });
  const recordMissing = createRecordMissing({ ...stores, storeFetch, now, wakeRelay });
  const saveResultPages = createSaveResultPages({ ...stores, now, wakeRelay });
  const readResultPage = createReadResultPage({ storeFetch, sourceGuard, now });
  const pageBatches = createPageBatches({ saveResultPages });
  const secondLook = createSecondLook({ ...stores, readResultPage, now });
  const takeSnapshot = createTakeSnapshot({ readResultPage, pageBatches, secondLook, now });
  const { dailyRun, dueRun, wakeSnapshots, wakeListings } = createTrackingDailyRun({
    ...deps,
    ...stores,
    recordListing,
    recordMissing,
    takeSnapshot,
    sourceGuard,
  });
  const dayRun = createDayRun({ ...stores, takeSnapshot, logger, now });
  const capReservations = createCapReservations({ ...stores, now, sleep: deps.sleepForRoom ?? systemSleep });
  const bulkJobs = createBulkJobs({
    store: stores.bulkJobStore,
    counters: stores.counters,
    capReservations,
    // The odd ids: scoring has the others.
    toId: (n) => 2 * n - 1,
    batchItems: maxBatchItems,
    name: 'jobs that track keywords',
    metrics: deps.metrics,
    diskSpace: deps.diskSpace,
    now,
    sleep,
    random: deps.random,
  });
  const lease = createLease({ connection, name: 'snapshot run', leaseMs: runLeaseMs });
  return {
    ...stores,
    readListing: createReadListing({ storeFetch }),
    recordMissing,
    addTrackedListing: createAddTrackedListing({ sourceGuard, recordListing, now }),
    findTrackedListing: createFindTrackedListing(stores),
    readResultPage,
    saveResultPages,
    pageBatches,
    takeSnapshot,
    dailyRun,
    wakeSnapshots,
    wakeListings,
    dueRun,
    dayRun,
    snapshotRuns: createSnapshotRuns({
      runs: stores.runs,
      lease,
      kinds: { due: dueRun.kind, day: dayRun.kind },
      logger,
      now,
    }),
    sweep: createSweep({
      expiring: [
        {
          name: 'snapshots',
          keptDays: deps.snapshotDays,
          deleteBefore: (before) => stores.snapshots.deleteBefore(utcDay(before)),
        },
        { name: 'jobs', keptDays, deleteBefore: bulkJobs.deleteBefore },
        { name: 'items of jobs', keptDays, deleteBefore: bulkJobs.deleteItemsBefore },
      ],
      logger,
      now,
      sleep,
    }),
    packing: createSweep({
      expiring: [
        {
          name: 'snapshots of days, packed by month',
          keptDays: packedAfterDays,
          deleteBefore: createPackPastDays({ ...stores, sleep }),
        },
      ],
      logger,
      now,
      sleep,
    }),
    appRemovals: createAppRemovals({ ...stores, logger, now, sleep, wakeRelay }),
    accountLocks: createLocksByKey(),
    orderingTurns: createOrderingTurns(),
    capReservations,
    bulkJobs,
    logger,
    now,
    sleep,
    wakeRelay,
  };
}

export type Stores = ReturnType<typeof createStores>;

const asOneOfMany = { isOnlyCopy: false };

/** @param options `isOnlyCopy`: see `ServiceDeps` */
export function createStores(connection: Connection, { isOnlyCopy }: { isOnlyCopy: boolean } = asOneOfMany) {
  const counters = createCounterStore<'competitor' | 'listing' | 'keyword_market' | 'note' | 'job'>(
    connection,
  );
  const keywordMarkets = createKeywordMarketStore(connection, counters);
  const listings = createListingStore(connection, counters, isOnlyCopy);
  return {
    keywordMarkets,
    dueKeywordMarkets: createDueKeywordMarketStore(keywordMarkets),
    snapshots: createSnapshotStore(connection),
    rankedApps: createRankedAppStore(connection),
    listings,
    listingVersions: createListingVersionStore(connection),
    dueListings: createDueListingStore(listings),
    trackedApps: createTrackedAppStore(connection, isOnlyCopy),
    trackedKeywords: createTrackedKeywordStore(connection),
    competitors: createCompetitorStore(connection, counters, isOnlyCopy),
    notes: createNoteStore(connection, counters),
    counters,
    bulkJobStore: createBulkJobStore<JobTarget>(connection),
    reservations: createReservationStore(connection),
    runs: createSnapshotRunStore(connection),
    secondLooks: createSecondLookStore(connection),
  };
}

/**
 * The models whose documents hold events. The cast is safe: the relay reads only the outbox fields, but mongoose's
 * Model is invariant.
 */
export function outboxModels({
  trackedApps,
  listings,
  snapshots,
  trackedKeywords,
  competitors,
}: Dependencies) {
  const stores = [trackedApps, listings, snapshots, trackedKeywords, competitors];
  const models: unknown[] = stores.map(({ model }) => model);
  return models as Model<unknown>[];
}
