import { type Store, stores as storeKeys } from '@shelfwise/facts/stores/store';
import type { JobTarget } from '@shelfwise/proto/jobs/v1/jobs';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { keptDays } from '@shelfwise/runtime/bulk/bulk-job';
import { type BulkJobs, createBulkJobs } from '@shelfwise/runtime/bulk/bulk-jobs';
import { type Sleep, sleep as systemSleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { createSweep, type Expiring } from '@shelfwise/runtime/jobs/sweep';
import { createWorker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { createCapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { Connection } from 'mongoose';
import { createAuditJobs } from './audits/audit-jobs.ts';
import { createAuditor } from './audits/auditor.ts';
import { createDescriptionJobs } from './audits/description-jobs.ts';
import { createRepeatedAudits } from './audits/repeated-audits.ts';
import { createStores } from './create-stores.ts';
import { importances } from './domain/term-schedule.ts';
import { createScoringRun } from './scoring-run.ts';
import type { DueTermStore } from './stores/due-term-store.ts';
import { keptPageDays } from './stores/page-day-store.ts';
import type { Term } from './stores/term.ts';
import type { TermStore } from './stores/term-store.ts';
import { createMeasurer } from './terms/create-measurer.ts';
import { recomputeScores } from './terms/recompute-scores.ts';
import { createTermJobs, type TermKind } from './terms/term-jobs.ts';

/** How long documents are kept, in days; null: forever. */
export type ScoringRetention = {
  /** The ranks, rating counts and scores of past days. */
  snapshotDays: number | null;
  /** Inspections and simulations. */
  historyDays: number | null;
};

/** An inspection may need a dozen calls of the store. */
const jobBatchItems = 5;

/** Creates the stores of the service, and the auditor, measurer and workers that use them. */
export function createDependencies(deps: {
  connection: Connection;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  /** In days; null: forever. */
  retention: ScoringRetention;
  logger: Logger;
  metrics: Metrics;
  /** The disk of an embedded database. */
  diskSpace?: DiskSpace | undefined;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  /** See `ServiceDeps`. */
  isOnlyCopy: boolean;
  now: () => Date;
  sleep: Sleep;
  /** 0 to 1 */
  random: () => number;
  /** Called after an event was stored in the outbox. */
  wake: WakeRelay;
}) {
  const { connection, storeFetch, retention, logger, metrics, now, sleep, random, wake } = deps;
  const { diskSpace, hasCopies, isOnlyCopy } = deps;
  const stores = createStores(connection, deps);
  const { dueTerms, measuredTerms, appDetails, listings, auditQueue, listingTermStore } = stores;
  const {
    trackedTerms,
    watchers,
    keywordsFields,
    audits,
    releases,
    baskets,
    visibilityDays,
    pageDays,
    scoreDays,
    descriptionLooks,
    sourceGuard,
  } = stores;
  const wakeTerms = () => wake(stores.terms.model);
  const workerOf = <Job>(source: JobSource<Job>) =>
    createWorker({ source, hasCopies, logger, metrics, diskSpace, now, sleep });

  /** Also wakes the workers when a term may be due earlier than before: a known one may be of either kind. */
  const terms: TermStore = {
    ...stores.terms,
    async requestMeasuring(storefront, requests, ...times) {
      const isDueEarlier = await stores.terms.requestMeasuring(storefront, requests, ...times);
      if (isDueEarlier) for (const worker of Object.values(termWorkers[storefront.store])) worker.wake();
      return isDueEarlier;
    },
  };
  const auditor = createAuditor({
    listings,
    listingTermStore,
    trackedTerms,
    watchers,
    keywordsFields,
    terms,
    audits,
    releases,
    baskets,
    visibilityDays,
    pageDays,
    descriptionLooks,
    sourceGuard,
    isOnlyCopy,
    logger,
    now,
    wake: () => wake(audits.model),
    wakeWorker: () => auditWorker.wake(),
    wakeDescriptions: (store) => descriptionWorkers[store].wake(),
  });
  const onMeasured = async (term: Term) => {
    await Promise.all([auditor.onMeasured(term), scoreDays.save(term)]);
  };
  const auditWorker = workerOf(createAuditJobs({ auditor, auditQueue, watchers, now, random }));
  const measurer = createMeasurer({
    terms,
    measuredTerms,
    appDetails,
    storeFetch,
    sourceGuard,
    onMeasured,
    now,
    random,
    wake: wakeTerms,
  });
  const bulkJobs = createBulkJobs({
    store: stores.bulkJobStore,
    counters: stores.counters,
    capReservations: createCapReservations({ ...stores, now, sleep: systemSleep }),
    // The even ids: tracking has the others.
    toId: (n) => 2 * n,
    batchItems: jobBatchItems,
    name: 'jobs that inspect keywords',
    metrics,
    diskSpace,
    now,
    sleep,
    random,
  });
  const descriptionWorkerOf = (store: Store) =>
    workerOf(
      createDescriptionJobs({
        store,
        looks: descriptionLooks,
        listings,
        storeFetch,
        sourceGuard,
        now,
        random,
        wakeAudits: () => auditWorker.wake(),
      }),
    );
  const descriptionWorkers = { ITUNES: descriptionWorkerOf('ITUNES'), GPLAY: descriptionWorkerOf('GPLAY') };
  const termWorkerOf = (store: Store, kind: TermKind) =>
    workerOf(createTermJobs({ store, kind, dueTerms, measurer, now, random }));
  const termWorkersOf = (store: Store) => ({
    tracked: termWorkerOf(store, 'tracked'),
    words: termWorkerOf(store, 'words'),
  });
  const termWorkers = { ITUNES: termWorkersOf('ITUNES'), GPLAY: termWorkersOf('GPLAY') } satisfies Record<
    Store,
    unknown
  >;

  return {
    ...stores,
    bulkJobs,
    terms,
    auditor,
    auditAgain: createRepeatedAudits(),
    measurer,
    /** Makes the worker measure the due tracked keywords of a store now. */
    wakeTracked: (store: Store) => termWorkers[store].tracked.wake(),
    run: createScoringRun({
      sweep: createSweep({
        expiring: [...listExpiring(stores, retention), ...expiringJobs(bulkJobs)],
        logger,
        now,
        sleep,
      }),
      workers: [
        ...Object.values(termWorkers).flatMap((workers) => Object.values(workers)),
        ...Object.values(descriptionWorkers),
        auditWorker,
      ],
      recomputeScores: (signal) =>
        // No row of a day: nothing was read on it.
        recomputeScores(
          { terms, measuredTerms, onMeasured: auditor.onMeasured, logger, now, sleep, wake: wakeTerms },
          signal,
        ),
      backlog: {
        countTerms: (at, limit) => countTerms(dueTerms, at, limit),
        countListings: (at, limit) => auditQueue.countDue({}, at, limit),
      },
      now,
    }),
  };
}

function listExpiring(
  { visibilityDays, pageDays, scoreDays, inspections, simulationRuns }: ReturnType<typeof createStores>,
  { snapshotDays, historyDays }: ScoringRetention,
): Expiring[] {
  return [
    {
      name: 'visibility days',
      keptDays: snapshotDays,
      deleteBefore: (before) => visibilityDays.deleteBefore(utcDay(before)),
    },
    {
      name: 'page days',
      keptDays: Math.min(snapshotDays ?? keptPageDays, keptPageDays),
      deleteBefore: (before) => pageDays.deleteBefore(utcDay(before)),
    },
    {
      name: 'score days',
      keptDays: snapshotDays,
      deleteBefore: (before) => scoreDays.deleteBefore(utcDay(before)),
    },
    { name: 'inspections', keptDays: historyDays, deleteBefore: inspections.deleteBefore },
    { name: 'simulations', keptDays: historyDays, deleteBefore: simulationRuns.deleteBefore },
  ];
}

function expiringJobs(bulkJobs: BulkJobs<JobTarget>): Expiring[] {
  return [
    { name: 'jobs', keptDays, deleteBefore: bulkJobs.deleteBefore },
    { name: 'items of jobs', keptDays, deleteBefore: bulkJobs.deleteItemsBefore },
  ];
}

/** How many terms of all stores are due or claimed; counting stops at `limit`. */
async function countTerms(dueTerms: DueTermStore, at: Date, limit: number): Promise<number> {
  const counts = await Promise.all(
    storeKeys.flatMap((store) =>
      Object.values(importances).map((importance) => dueTerms.countWaiting(store, importance, at, limit)),
    ),
  );
  return Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
}
