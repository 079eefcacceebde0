import { createSourceGuard } from '@shelfwise/facts/source-guard';
import type { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { createCounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import type { Connection } from 'mongoose';
import { createAnalyses } from './analysis/analyses.ts';
import { createAnalyzeTopic } from './analysis/analyze-topic.ts';
import { createLeaseKeeper } from './analysis/lease-keeper.ts';
import { createTurns } from './analysis/turns.ts';
import { createAnalysisStore } from './stores/analysis-store.ts';
import { createLeaseStore } from './stores/lease-store.ts';
import { createNicheRowStore } from './stores/niche-row-store.ts';

/** What an analysis needs of the services that it calls. */
export type NicheClients = {
  scoring: Pick<GrpcClient<typeof ScoringServiceService>, 'scoreTerms'>;
  storeFetch: Pick<GrpcClient<typeof StoreFetchServiceService>, 'suggestTerms' | 'searchApps'>;
};

/** Of one store: more would only take each other's calls, and those of everybody else. */
const perStore = { atOnce: 2, longestLine: 20 };

/** What the handlers work with. */
export function createNicheParts(
  deps: NicheClients & {
    connection: Connection;
    progressLogger: Logger;
    newId: () => string;
    now: () => Date;
    sleep: Sleep;
  },
) {
  const { connection, now, sleep } = deps;
  const counters = createCounterStore<'analysis' | 'niche'>(connection);
  const analyses = createAnalysisStore(connection);
  const leases = createLeaseStore(connection);
  const turns = { ITUNES: createTurns(perStore), GPLAY: createTurns(perStore) };
  const running = createAnalyses({
    analyses,
    leases,
    counters,
    turns,
    now,
    sleep,
    newId: deps.newId,
    logger: deps.progressLogger,
    analyzeTopic: createAnalyzeTopic({ ...deps, sourceGuard: createSourceGuard({ connection }) }),
    leaseKeeper: createLeaseKeeper({ leases, now, sleep }),
  });
  return { running, analyses, nicheRows: createNicheRowStore(connection, counters), turns, now };
}
