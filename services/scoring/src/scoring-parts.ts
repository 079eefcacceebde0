import { type Store, stores } from '@shelfwise/facts/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import type { DueWork } from '@shelfwise/runtime/lanes/due-work';
import { createLane } from '@shelfwise/runtime/lanes/lane';
import type { Sleep } from '@shelfwise/runtime/lanes/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { createCounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import { createSourceGuard } from '@shelfwise/runtime/source-guard';
import type { Connection, Model } from 'mongoose';
import { createAuditingParts } from './auditing/auditing-parts.ts';
import { importances } from './domain/importance.ts';
import { createRelatedTerms } from './inspecting/related-terms.ts';
import { createMeasurer } from './measuring/create-measurer.ts';
import { createScoreRenewer } from './measuring/score-renewer.ts';
import { createTermWork, type KindOfTerms } from './measuring/term-work.ts';
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
  const laneOf = <Piece>(work: DueWork<Piece>) => createLane({ work, logger, metrics, now, sleep });

  /** What an audit or a draft is the first to ask for is measured now, not when its lane looks the next time. */
  const wakingTerms: TermStore = {
    ...terms,
    async want(storefront, ...wanted) {
      const isNew = await terms.want(storefront, ...wanted);
      if (isNew) termLanes[storefront.store].words.wake();
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
    wakeLane: () => auditLane.wake(),
  });
  const auditLane = laneOf(auditing.auditWork);
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
  const termLaneOf = (store: Store, kind: KindOfTerms) =>
    laneOf(createTermWork({ store, kind, dueTerms, measurer, now, random }));
  const termLanesOf = (store: Store) => ({
    tracked: termLaneOf(store, 'tracked'),
    words: termLaneOf(store, 'words'),
  });
  const termLanes = { ITUNES: termLanesOf('ITUNES'), GPLAY: termLanesOf('GPLAY') } satisfies Record<
    Store,
    unknown
  >;

  const wakeTracked = (store: Store) => termLanes[store].tracked.wake();

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
      lanes: [...Object.values(termLanes).flatMap((lanes) => Object.values(lanes)), auditLane],
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
