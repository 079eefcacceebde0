import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import { createWorker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import type { Connection, Model } from 'mongoose';
import { createAuditingParts } from './auditing/auditing-parts.ts';
import { importances } from './domain/importance.ts';
import { createRelatedTerms } from './inspecting/related-terms.ts';
import { createMeasurer } from './measuring/create-measurer.ts';
import { createScoreRenewer } from './measuring/score-renewer.ts';
import { createTermJobs, type KindOfTerms } from './measuring/term-jobs.ts';
import { createScoringRun } from './scoring-run.ts';
import { createFindBaseline } from './simulating/baseline.ts';
import { createTermProbe } from './simulating/term-probe.ts';
import { createAppDetailsStore } from './stores/app-details-store.ts';
import { createDueTermStore, type DueTermStore } from './stores/due-term-store.ts';
import { createInspectionStore } from './stores/inspection-store.ts';
import { createSimulationRunStore } from './stores/simulation-run-store.ts';
import { createTermStore, type TermStore } from './stores/term-store.ts';

/** What the handlers and the consumers work with. */
export type ScoringParts = ReturnType<typeof createScoringParts>;

export function createScoringParts(deps: {
  connection: Connection;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  sleep: Sleep;
  /** 0 to 1 */
  random: () => number;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { connection, storeFetch, logger, metrics, now, sleep, random, wake } = deps;
  const counters = createCounterStore<'simulation' | 'inspection'>(connection);
  const sourceGuard = createSourceGuard({ connection });
  const terms = createTermStore(connection);
  const dueTerms = createDueTermStore(terms);
  const workerOf = <Job>(work: JobSource<Job>) => createWorker({ source: work, logger, metrics, now, sleep });

  /** What an audit or a draft is the first to ask for is measured now, not when its worker looks the next time. */
  const wakingTerms: TermStore = {
    ...terms,
    async want(storefront, ...wanted) {
      const isNew = await terms.want(storefront, ...wanted);
      if (isNew) termWorkers[storefront.store].words.wake();
      return isNew;
    },
  };
  const auditing = createAuditingParts({
    connection,
    terms: wakingTerms,
    sourceGuard,
    now,
    random,
    wake,
    wakeWorker: () => auditWorker.wake(),
  });
  const auditWorker = workerOf(auditing.auditWork);
  const { onMeasured, onRanks } = auditing.auditor;
  const measurer = createMeasurer({
    terms,
    appDetails: createAppDetailsStore(connection),
    storeFetch,
    sourceGuard,
    onMeasured,
    now,
    random,
    wake,
  });
  const termWorkerOf = (store: Store, kind: KindOfTerms) =>
    workerOf(createTermJobs({ store, kind, dueTerms, measurer, now, random }));
  const termWorkersOf = (store: Store) => ({
    tracked: termWorkerOf(store, 'tracked'),
    words: termWorkerOf(store, 'words'),
  });
  const termWorkers = { ITUNES: termWorkersOf('ITUNES'), GPLAY: termWorkersOf('GPLAY') } satisfies Record<
    Store,
    unknown
  >;

  const wakeTracked = (store: Store) => termWorkers[store].tracked.wake();

  return {
    ...auditing,
    terms,
    measurer,
    onRanks,
    now,
    wake,
    wakeTracked,
    termProbe: createTermProbe({ terms: wakingTerms, measurer, now, sleep }),
    findBaseline: createFindBaseline({ auditor: auditing.auditor, terms }),
    relatedTerms: createRelatedTerms({ storeFetch, terms }),
    simulationRuns: createSimulationRunStore(connection, counters),
    inspections: createInspectionStore(connection, counters),
    run: createScoringRun({
      workers: [...Object.values(termWorkers).flatMap((workers) => Object.values(workers)), auditWorker],
      scoreRenewer: createScoreRenewer({ terms, onMeasured, logger, now, sleep, wake }),
      waiting: {
        countTerms: (at, limit) => countTerms(dueTerms, at, limit),
        countListings: auditing.dueListings.countDue,
      },
      now,
    }),
    // The relay reads nothing but the outbox fields; mongoose's Model is invariant in its document.
    outboxes: [terms.model, ...auditing.outboxes] as unknown as Model<unknown>[],
  };
}

async function countTerms(dueTerms: DueTermStore, at: Date, limit: number): Promise<number> {
  const counts = await Promise.all(
    stores.flatMap((store) =>
      Object.values(importances).map((importance) => dueTerms.countDue(store, importance, at, limit)),
    ),
  );
  return Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
}
