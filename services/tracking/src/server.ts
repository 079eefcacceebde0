import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { cancelJob, getJob, listJobs, takeJobBatch } from '@shelfwise/runtime/bulk/job-handlers';
import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createDependencies, outboxModels } from './create-dependencies.ts';
import { createOnKeywordsScored } from './events/on-keywords-scored.ts';
import { createOnListingAudited } from './events/on-listing-audited.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { findTrackedApps } from './handlers/find-tracked-apps.ts';
import { getKeyword } from './handlers/get-keyword.ts';
import { getRankDistribution } from './handlers/get-rank-distribution.ts';
import { getRankHistory } from './handlers/get-rank-history.ts';
import { getSnapshotRun } from './handlers/get-snapshot-run.ts';
import { getTotals } from './handlers/get-totals.ts';
import { getTrackedListing } from './handlers/get-tracked-listing.ts';
import { createJob, runJobBatch } from './handlers/jobs.ts';
import { listApplications } from './handlers/list-applications.ts';
import { listChanges } from './handlers/list-changes.ts';
import { listCompetitors } from './handlers/list-competitors.ts';
import { listKeywordTracking } from './handlers/list-keyword-tracking.ts';
import { listKeywords } from './handlers/list-keywords.ts';
import { listMovers } from './handlers/list-movers.ts';
import { listRankHistories } from './handlers/list-rank-histories.ts';
import { listRankMatrix } from './handlers/list-rank-matrix.ts';
import { addNote, listNotes, removeNote } from './handlers/notes.ts';
import { setKeywordFavorite } from './handlers/set-keyword-favorite.ts';
import { startSnapshotRun } from './handlers/start-snapshot-run.ts';
import { trackApplication } from './handlers/track-application.ts';
import { trackCompetitor } from './handlers/track-competitor.ts';
import { trackKeywords } from './handlers/track-keywords.ts';
import { untrackApplication } from './handlers/untrack-application.ts';
import { untrackCompetitor } from './handlers/untrack-competitor.ts';
import { untrackKeyword } from './handlers/untrack-keyword.ts';
import { trackingSchema } from './schema.ts';

const trackingHandlers = {
  listApplications,
  trackApplication,
  untrackApplication,
  findTrackedApps,
  listKeywords,
  trackKeywords,
  untrackKeyword,
  setKeywordFavorite,
  getKeyword,
  getRankHistory,
  listMovers,
  getRankDistribution,
  listRankHistories,
  listRankMatrix,
  addNote,
  listNotes,
  removeNote,
  listChanges,
  getTrackedListing,
  listKeywordTracking,
  trackCompetitor,
  untrackCompetitor,
  listCompetitors,
  getTotals,
  startSnapshotRun,
  getSnapshotRun,
  createJob,
  listJobs,
  getJob,
  cancelJob,
  takeJobBatch,
  runJobBatch,
};

/** The tracking service on one database. Without a bus, events stay in the outbox and no scores arrive. */
export function createTrackingServer(
  deps: GrpcServiceDeps & {
    storeFetch: GrpcClient<typeof StoreFetchServiceService>;
    bus: EventBus | null;
    /** Whether this copy of the service takes part in the daily run. */
    dailyRun: boolean;
    /** How long the result pages of past days are kept; default: forever. */
    snapshotDays?: number | null;
    /** How the daily run waits; default: the real clock. */
    sleep?: Sleep;
    /** See `createDependencies`. */
    sleepForRoom?: Sleep | undefined;
  },
): GrpcService & DrainingPart {
  const { bus, logger, metrics, now } = deps;
  const hasCopies = !deps.isDatabaseEmbedded;
  const dependencies = createDependencies({
    ...deps,
    hasCopies,
    isOnlyCopy: deps.isOnlyCopy ?? false,
    sleep: deps.sleep ?? sleep,
    isInDailyRun: deps.dailyRun,
    snapshotDays: deps.snapshotDays ?? null,
    random: Math.random,
    wakeRelay: (written) => relay.wake(written),
  });
  const { listings, dailyRun, snapshotRuns, appRemovals, sweep, packing } = dependencies;
  const relay = createOutboxRelay({
    models: outboxModels(dependencies),
    service: 'tracking',
    bus,
    hasCopies,
    logger,
    metrics,
    now,
  });
  const checks: Record<string, StatusCheck> = { events: relay.status, 'daily run': dailyRun.status };
  if (bus?.status) checks['event bus'] = bus.status;
  const handlerDeps = { ...dependencies, publishesEvents: bus !== null };
  return createGrpcService(deps, {
    name: 'tracking',
    schema: trackingSchema,
    services: [
      bindHandlers(TrackingServiceService, trackingHandlers, handlerDeps),
      bindHandlers(AccountRowsServiceService, { deleteAccountRows }, handlerDeps),
    ],
    checks,
    async beforeCalls() {
      relay.start();
      if (bus)
        await consumeTopics(
          bus,
          'tracking',
          { 'scoring.listing-audited.v1': createOnListingAudited({ listings }) },
          { 'scoring.keyword-scored.v1': createOnKeywordsScored(dependencies) },
        );
    },
    startJobs() {
      appRemovals.start();
      dailyRun.start();
      snapshotRuns.watch();
      sweep.start();
      packing.start();
    },
    announceDraining() {
      snapshotRuns.stop().catch(() => {});
      dailyRun.stop().catch(() => {});
    },
    stopJobs: () => Promise.all([dailyRun.stop(), snapshotRuns.stop(), sweep.stop(), packing.stop()]),
    async afterJobs() {
      await dependencies.pageBatches.idle();
      await appRemovals.stop();
      await relay.stop();
    },
  });
}
