import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { stores } from '@shelfwise/facts/stores/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createDailyRun } from '@shelfwise/runtime/jobs/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/jobs/daily-run-metrics';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { createProgressCounter } from '@shelfwise/runtime/jobs/progress-counter';
import { createWorker, type Worker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { RecordListing } from '../listings/record-listing.ts';
import type { RecordMissing } from '../listings/record-missing.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { DueKeywordMarketStore } from '../stores/due-keyword-market-store.ts';
import type { DueListingStore } from '../stores/due-listing-store.ts';
import type { SnapshotRunStore } from '../stores/snapshot-run-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { createDueRun } from './due-run.ts';
import { createListingJobs } from './listing-jobs.ts';
import { createSnapshotJobs } from './snapshot-jobs.ts';
import type { TakeSnapshot } from './take-snapshot.ts';

/**
 * The daily run of tracking. Each store has two workers: one for result pages, one for listings. The progress counts
 * keywords only. `dueRun` is an operator's run, which the workers for result pages of all copies serve.
 */
export function createTrackingDailyRun(deps: {
  dueKeywordMarkets: DueKeywordMarketStore;
  dueListings: DueListingStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  competitors: CompetitorStore;
  takeSnapshot: TakeSnapshot;
  runs: Pick<SnapshotRunStore, 'setPrepared' | 'addFailures'>;
  recordListing: RecordListing;
  recordMissing: RecordMissing;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  logger: Logger;
  metrics: Metrics;
  /** The disk of an embedded database. */
  diskSpace?: DiskSpace | undefined;
  /** Whether this copy takes part in the daily run. */
  isInDailyRun: boolean;
  now: () => Date;
  sleep: Sleep;
  /** A random number from 0 to 1. */
  random: () => number;
}) {
  const { dueKeywordMarkets, dueListings, trackedApps, trackedKeywords, competitors, takeSnapshot } = deps;
  const {
    recordListing,
    recordMissing,
    storeFetch,
    sourceGuard,
    logger,
    metrics,
    isInDailyRun,
    now,
    sleep,
    random,
  } = deps;
  const createWorkerFor = <Job>(source: JobSource<Job>) =>
    createWorker({ source, logger, metrics, diskSpace: deps.diskSpace, now, sleep });

  const dueRun = createDueRun({ workers: () => snapshotWorkers, dueKeywordMarkets, runs: deps.runs, now });
  const { onFailure } = dueRun;
  const snapshotWorkers: Worker[] = stores.map((store) =>
    createWorkerFor(
      createSnapshotJobs({ store, dueKeywordMarkets, trackedKeywords, takeSnapshot, onFailure, now, random }),
    ),
  );
  const listingWorkers = stores.map((store) =>
    createWorkerFor(
      createListingJobs({
        store,
        dueListings,
        trackedApps,
        competitors,
        recordListing,
        recordMissing,
        storeFetch,
        sourceGuard,
        logger,
        now,
        random,
      }),
    ),
  );
  const counter = createProgressCounter({
    groups: stores,
    planned: dueKeywordMarkets,
    metrics: createDailyRunMetrics(metrics, {
      items: 'keywords',
      label: 'store',
      readToday: 'Tracked keywords that have a snapshot of this UTC day',
    }),
    now,
    sleep,
  });
  const dailyRun = createDailyRun({
    isOn: isInDailyRun,
    workers: [...snapshotWorkers, ...listingWorkers],
    item: 'keyword',
    background: [counter],
    readProgress: counter.latest,
  });
  return { dailyRun, dueRun };
}
