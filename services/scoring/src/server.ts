import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { type Sleep, sleep as wallClockSleep } from '@shelfwise/runtime/jobs/sleep';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { saveWithSpace } from '@shelfwise/runtime/process/disk-space';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { checkAll, type StatusCheck } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import type { Model } from 'mongoose';
import { createDependencies, type ScoringRetention } from './create-dependencies.ts';
import { createConsumers } from './events/create-consumers.ts';
import { checkMetadata } from './handlers/check-metadata.ts';
import { compareVisibility } from './handlers/compare-visibility.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { deleteKeywordsField } from './handlers/delete-keywords-field.ts';
import { explainScores } from './handlers/explain-scores.ts';
import { getAsoHealth } from './handlers/get-aso-health.ts';
import { getKeywordScores } from './handlers/get-keyword-scores.ts';
import { getKeywordsField } from './handlers/get-keywords-field.ts';
import { getScoreHistory } from './handlers/get-score-history.ts';
import { getSimulation } from './handlers/get-simulation.ts';
import { inspectKeyword } from './handlers/inspect-keyword.ts';
import { listInspections } from './handlers/list-inspections.ts';
import { listSimulations } from './handlers/list-simulations.ts';
import { scoreTerms } from './handlers/score-terms.ts';
import { setKeywordsField } from './handlers/set-keywords-field.ts';
import { simulateListing } from './handlers/simulate-listing.ts';
import { scoringSchema } from './schema.ts';

/** How long a stop waits for open requests before it aborts them. */
const drainMs = 8000;

/** The scoring service on one database. Without a bus its events stay in the outbox, and it consumes nothing. */
export function createScoringServer(
  deps: GrpcServiceDeps & {
    storeFetch: GrpcClient<typeof StoreFetchServiceService>;
    bus: EventBus | null;
    /** Default: everything is kept forever. */
    retention?: ScoringRetention;
    /** Waits between two polls for due work; the wall clock when absent. */
    sleep?: Sleep;
  },
): GrpcService & DrainingPart {
  const { connection, storeFetch, bus, logger, metrics, now, sleep = wallClockSleep } = deps;
  const wake = () => relay.wake();
  const { run, auditor, measurer, terms, wakeTracked, ...stores } = createDependencies({
    connection,
    storeFetch,
    retention: deps.retention ?? { snapshotDays: null, historyDays: null },
    logger,
    metrics,
    diskSpace: deps.diskSpace,
    now,
    sleep,
    random: Math.random,
    wake,
  });
  const { audits, listings, releases, baskets, visibilityDays, watchers, trackedTerms, sourceGuard } = stores;
  const { simulationRuns, inspections, keywordsFields, deletedAccounts, scoreDays } = stores;
  // The relay reads only the outbox fields; mongoose's Model type is invariant in its document type.
  const outboxes = [terms.model, audits.model] as unknown as Model<unknown>[];
  const relay = createOutboxRelay({
    models: outboxes,
    service: 'scoring',
    bus,
    hasCopies: !deps.isDatabaseEmbedded,
    logger,
    metrics,
    now,
  });
  const database = databaseStatus(connection, deps.isDatabaseEmbedded);
  const checks: Record<string, StatusCheck> = {
    database,
    events: relay.status,
    'scoring run': run.status,
  };
  if (bus?.status) checks['event bus'] = bus.status;

  metrics.parts.add('scoring', () => checkAll(checks));
  const server = createGrpcServer({
    name: 'scoring',
    logger,
    metrics,
    hasReflection: deps.hasReflection,
    security: deps.security,
    ownNeeds: database,
  });
  server.addService(ScoringServiceService, {
    getAsoHealth: (request, call) =>
      getAsoHealth({ auditor, releases, keywordsFields, trackedTerms, listings, terms, now }, request, call),
    getKeywordsField: (request) => getKeywordsField({ keywordsFields }, request),
    setKeywordsField: (request) => setKeywordsField({ keywordsFields, terms, now }, request),
    deleteKeywordsField: (request) => deleteKeywordsField({ keywordsFields, now }, request),
    getScoreHistory: (request) => getScoreHistory({ baskets, listings, visibilityDays, now }, request),
    checkMetadata: (request) => checkMetadata(request),
    simulateListing: (request, call) =>
      simulateListing(
        { terms, measurer, auditor, listings, keywordsFields, trackedTerms, simulationRuns, now, sleep },
        request,
        call,
      ),
    listSimulations: (request) => listSimulations({ simulationRuns }, request),
    getSimulation: (request) => getSimulation({ simulationRuns }, request),
    inspectKeyword: (request, call) =>
      inspectKeyword(
        { measurer, storeFetch, terms, inspections: saveWithSpace(inspections, deps.diskSpace), now },
        request,
        call,
      ),
    listInspections: (request) => listInspections({ inspections }, request),
    explainScores: (request, call) => explainScores({ terms, measurer }, request, call),
    getKeywordScores: (request) => getKeywordScores({ terms, scoreDays }, request),
    scoreTerms: (request, call) => scoreTerms({ terms, measurer, now }, request, call),
    compareVisibility: (request, call) => compareVisibility({ baskets, terms }, request, call),
  });
  server.addService(AccountRowsServiceService, {
    deleteAccountRows: (request, call) =>
      deleteAccountRows(
        { deletedAccounts, simulationRuns, inspections, keywordsFields, watchers, trackedTerms, now },
        request,
        call,
      ),
  });
  server.addService(statusService, createStatusHandlers(checks));

  const { handlers, batchHandlers } = createConsumers({
    auditor,
    terms,
    trackedTerms,
    watchers,
    deletedAccounts,
    baskets,
    visibilityDays,
    sourceGuard,
    now,
    wake,
    wakeTracked,
  });

  let address = '';
  return {
    name: 'scoring',
    async start() {
      await prepareDatabase(connection, scoringSchema, deps.schemaMode);
      relay.start();
      address = await server.listen(deps.listenAddress);
      run.start();
      if (bus) await consumeTopics(bus, 'scoring', handlers, batchHandlers);
    },
    announceDraining() {
      // `stop` reports errors.
      run.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([server.drain(drainMs), run.stop()]);
      await relay.stop();
    },
    address: () => address,
    inProcess: server.inProcess,
    checks,
  };
}
