import { randomUUID } from 'node:crypto';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { saveWithSpace } from '@shelfwise/runtime/process/disk-space';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { checkAll } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { watchAnalyses } from './analysis/analysis-metrics.ts';
import { createAnalysisStatus } from './analysis/analysis-status.ts';
import type { StoreFetchClient } from './analysis/query-store.ts';
import type { TermScorer } from './analysis/score-candidates.ts';
import { createDependencies } from './create-dependencies.ts';
import { analyzeNiche } from './handlers/analyze-niche.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { listNiches } from './handlers/list-niches.ts';
import { nicheSchema } from './schema.ts';

/** How long a stop waits for open calls. Analyses are aborted, so only replies are still to be sent. */
const drainMs = 5000;

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
  const { runningAnalyses, analyses, history, semaphores, sweep } = createDependencies({
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
  const database = databaseStatus(connection, deps.isDatabaseEmbedded);
  const checks = {
    database,
    analyses: createAnalysisStatus(semaphores),
  };

  metrics.parts.add('niche', () => checkAll(checks));
  const server = createGrpcServer({
    name: 'niche',
    logger,
    metrics,
    hasReflection: deps.hasReflection,
    security: deps.security,
    ownNeeds: database,
  });
  server.addService(NicheServiceService, {
    analyzeNiche: (request, call) =>
      analyzeNiche(
        { runningAnalyses, analyses, history: saveWithSpace(history, deps.diskSpace), now },
        request,
        call,
      ),
    listNiches: (request) => listNiches({ history }, request),
  });
  server.addService(AccountRowsServiceService, {
    deleteAccountRows: (request, call) => deleteAccountRows({ history }, request, call),
  });
  server.addService(statusService, createStatusHandlers(checks));

  let address = '';
  return {
    name: 'niche',
    async start() {
      await prepareDatabase(connection, nicheSchema, deps.schemaMode);
      address = await server.listen(deps.listenAddress);
      sweep.start();
    },
    announceDraining() {
      // `stop` reports errors.
      runningAnalyses.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([runningAnalyses.stop(), server.drain(drainMs), sweep.stop()]);
      await Promise.all(Object.values(semaphores).map((semaphore) => semaphore.idle()));
    },
    address: () => address,
    inProcess: server.inProcess,
    checks,
  };
}
