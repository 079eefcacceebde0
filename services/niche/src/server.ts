import { randomUUID } from 'node:crypto';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { saveWithSpace } from '@shelfwise/runtime/process/disk-space';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import { deleteRowsOfAccount } from '@shelfwise/runtime/service/delete-rows-of-account';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import type { StoreFetchClient } from './analysis/query-store.ts';
import type { TermScorer } from './analysis/score-candidates.ts';
import { createAnalysisStatus, watchAnalyses } from './analysis/watch-analyses.ts';
import { createDependencies } from './create-dependencies.ts';
import { analyzeNiche } from './handlers/analyze-niche.ts';
import { findNiche } from './handlers/find-niche.ts';
import { listNiches } from './handlers/list-niches.ts';
import { nicheSchema } from './schema.ts';

/** The niche service on one database, which any number of copies may share. */
export function createNicheServer(
  deps: GrpcServiceDeps & {
    scoring: TermScorer;
    storeFetch: StoreFetchClient;
    /** For the progress and the outcome of analyses. Default: `logger`. */
    progressLogger?: Logger;
    /** How long an account's history is kept, in days; default: null, forever. */
    historyDays?: number | null;
    /** Default: system time, which is never set. */
    monotonicMs?: () => number;
    sleep?: Sleep;
  },
): GrpcService & DrainingPart {
  const { connection, scoring, storeFetch, logger, metrics, now } = deps;
  const { runningAnalyses, analyses, history, queues, progress, semaphores, sweep } = createDependencies({
    connection,
    scoring,
    storeFetch,
    progressLogger: (deps.progressLogger ?? logger).child({ service: 'niche' }),
    newId: randomUUID,
    now,
    monotonicMs: deps.monotonicMs ?? (() => performance.now()),
    historyDays: deps.historyDays ?? null,
    logger,
    sleep: deps.sleep ?? sleep,
  });
  watchAnalyses(metrics, semaphores);
  const handlerDeps = {
    runningAnalyses,
    analyses,
    history: saveWithSpace(history, deps.diskSpace),
    queues,
    progress,
    now,
  };
  return createGrpcService(deps, {
    name: 'niche',
    schema: nicheSchema,
    services: [
      bindHandlers(NicheServiceService, { analyzeNiche, findNiche, listNiches }, handlerDeps),
      // Analyses are shared and kept.
      bindHandlers(AccountRowsServiceService, { deleteAccountRows: deleteRowsOfAccount }, [history]),
    ],
    checks: { analyses: createAnalysisStatus(semaphores) },
    // Analyses are aborted, so only replies are still to be sent.
    drainMs: 5000,
    startJobs: () => sweep.start(),
    announceDraining: () => void runningAnalyses.stop().catch(() => {}),
    stopJobs: () => Promise.all([runningAnalyses.stop(), sweep.stop()]),
    afterJobs: () => Promise.all(Object.values(semaphores).map((semaphore) => semaphore.idle())),
  });
}
