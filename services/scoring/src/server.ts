import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { type CheckMetadataRequest, ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { cancelJob, getJob, listJobs, takeJobBatch } from '@shelfwise/runtime/bulk/job-handlers';
import { type Sleep, sleep as wallClockSleep } from '@shelfwise/runtime/concurrency/sleep';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay, type WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import { saveWithSpace } from '@shelfwise/runtime/process/disk-space';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import type { Model } from 'mongoose';
import { createDependencies, type ScoringRetention } from './create-dependencies.ts';
import { createConsumers } from './events/create-consumers.ts';
import { checkMetadata } from './handlers/check-metadata.ts';
import { compareVisibility } from './handlers/compare-visibility.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { explainScores } from './handlers/explain-scores.ts';
import { findSimulations } from './handlers/find-simulations.ts';
import { getAsoHealth } from './handlers/get-aso-health.ts';
import { getKeywordScores } from './handlers/get-keyword-scores.ts';
import { getScoreHistory } from './handlers/get-score-history.ts';
import { getShareOfVoice } from './handlers/get-share-of-voice.ts';
import { getSimulation } from './handlers/get-simulation.ts';
import { inspectKeyword } from './handlers/inspect-keyword.ts';
import { createJob, runJobBatch } from './handlers/jobs.ts';
import { deleteKeywordsField, getKeywordsField, setKeywordsField } from './handlers/keywords-field.ts';
import { listInspections } from './handlers/list-inspections.ts';
import { listKeywordGap } from './handlers/list-keyword-gap.ts';
import { listRankedKeywords } from './handlers/list-ranked-keywords.ts';
import { listSimulations } from './handlers/list-simulations.ts';
import { listVisibilityDays } from './handlers/list-visibility-days.ts';
import { scoreTerms } from './handlers/score-terms.ts';
import { simulateListing } from './handlers/simulate-listing.ts';
import { createInTurn } from './rivals/in-turn.ts';
import { scoringSchema } from './schema.ts';

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
  const wake: WakeRelay = (written) => relay.wake(written);
  const hasCopies = !deps.isDatabaseEmbedded;
  const dependencies = createDependencies({
    connection,
    storeFetch,
    retention: deps.retention ?? { snapshotDays: null, historyDays: null },
    logger,
    metrics,
    diskSpace: deps.diskSpace,
    hasCopies,
    isOnlyCopy: deps.isOnlyCopy ?? false,
    now,
    sleep,
    random: Math.random,
    wake,
  });
  const { run, terms, audits, auditor } = dependencies;
  // The relay reads only the outbox fields; mongoose's Model type is invariant in its document type.
  const outboxes = [terms.model, audits.model] as unknown as Model<unknown>[];
  const relay = createOutboxRelay({
    models: outboxes,
    service: 'scoring',
    bus,
    hasCopies,
    logger,
    metrics,
    now,
  });
  const checks: Record<string, StatusCheck> = { events: relay.status, 'scoring run': run.status };
  if (bus?.status) checks['event bus'] = bus.status;
  const handlerDeps = {
    ...dependencies,
    inspections: saveWithSpace(dependencies.inspections, deps.diskSpace),
    storeFetch,
    now,
    sleep,
  };
  const inTurn = createInTurn();
  const scoringHandlers = {
    getAsoHealth,
    getKeywordsField,
    setKeywordsField,
    deleteKeywordsField,
    getScoreHistory,
    listVisibilityDays,
    checkMetadata: (_: unknown, request: CheckMetadataRequest) => checkMetadata(request),
    simulateListing,
    listSimulations,
    getSimulation,
    inspectKeyword,
    listInspections,
    explainScores,
    findSimulations,
    getKeywordScores,
    scoreTerms,
    listKeywordGap: inTurn(listKeywordGap),
    listRankedKeywords: inTurn(listRankedKeywords),
    compareVisibility,
    getShareOfVoice: inTurn(getShareOfVoice),
    createJob,
    listJobs,
    getJob,
    cancelJob,
    takeJobBatch,
    runJobBatch,
  };
  const wakeTerms = () => wake(terms.model);
  const { handlers, batchHandlers } = createConsumers({ ...dependencies, now, wake: wakeTerms });
  return createGrpcService(deps, {
    name: 'scoring',
    schema: scoringSchema,
    services: [
      bindHandlers(ScoringServiceService, scoringHandlers, handlerDeps),
      bindHandlers(AccountRowsServiceService, { deleteAccountRows }, handlerDeps),
    ],
    checks,
    beforeCalls: () => relay.start(),
    async startJobs() {
      run.start();
      if (bus) await consumeTopics(bus, 'scoring', handlers, batchHandlers);
    },
    announceDraining: () => void run.stop().catch(() => {}),
    stopJobs: () => run.stop(),
    async afterJobs() {
      await auditor.settled();
      await relay.stop();
    },
  });
}
