import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import type { GrpcClient, GrpcHandlers } from '@shelfwise/runtime/grpc/grpc-types';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { checkAll, type StatusCheck } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createDependencies, type Dependencies, outboxModels } from './create-dependencies.ts';
import { createOnKeywordsScored } from './events/on-keywords-scored.ts';
import { createOnListingAudited } from './events/on-listing-audited.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { getKeyword } from './handlers/get-keyword.ts';
import { getRankHistory } from './handlers/get-rank-history.ts';
import { getSnapshotRun } from './handlers/get-snapshot-run.ts';
import { getTotals } from './handlers/get-totals.ts';
import { getTrackedListing } from './handlers/get-tracked-listing.ts';
import { listApplications } from './handlers/list-applications.ts';
import { listCompetitors } from './handlers/list-competitors.ts';
import { listKeywordTracking } from './handlers/list-keyword-tracking.ts';
import { listKeywords } from './handlers/list-keywords.ts';
import { listMovers } from './handlers/list-movers.ts';
import { setKeywordFavorite } from './handlers/set-keyword-favorite.ts';
import { startSnapshotRun } from './handlers/start-snapshot-run.ts';
import { trackApplication } from './handlers/track-application.ts';
import { trackCompetitor } from './handlers/track-competitor.ts';
import { trackKeywords } from './handlers/track-keywords.ts';
import { untrackApplication } from './handlers/untrack-application.ts';
import { untrackCompetitor } from './handlers/untrack-competitor.ts';
import { untrackKeyword } from './handlers/untrack-keyword.ts';
import { trackingSchema } from './schema.ts';

/** How long a stop waits for calls in progress. */
const drainMs = 8000;

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
    sleepForPlace?: Sleep | undefined;
  },
): GrpcService & DrainingPart {
  const { connection, storeFetch, bus, logger, metrics, now } = deps;
  const dependencies = createDependencies({
    connection,
    storeFetch,
    logger,
    metrics,
    diskSpace: deps.diskSpace,
    now,
    sleep: deps.sleep ?? sleep,
    sleepForPlace: deps.sleepForPlace,
    isInDailyRun: deps.dailyRun,
    snapshotDays: deps.snapshotDays ?? null,
    random: Math.random,
    wakeRelay: () => relay.wake(),
  });
  const { keywordMarkets, dueKeywordMarkets, listings, dailyRun, snapshotRuns, pageBatches } = dependencies;
  const { appRemovals, sweep } = dependencies;
  const relay = createOutboxRelay({
    models: outboxModels(dependencies),
    service: 'tracking',
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
    'daily run': dailyRun.status,
  };
  if (bus?.status) checks['event bus'] = bus.status;

  metrics.parts.add('tracking', () => checkAll(checks));
  const server = createGrpcServer({
    name: 'tracking',
    logger,
    metrics,
    hasReflection: deps.hasReflection,
    security: deps.security,
    ownNeeds: database,
  });
  server.addService(TrackingServiceService, createHandlers(dependencies));
  const { trackedApps, trackedKeywords, competitors, reservedPlaces, accountLocks } = dependencies;
  server.addService(AccountRowsServiceService, {
    deleteAccountRows: (request, call) =>
      deleteAccountRows(
        {
          trackedApps,
          trackedKeywords,
          competitors,
          reservedPlaces,
          appRemovals,
          accountLocks,
          publishesEvents: bus !== null,
          now,
          wakeRelay: () => relay.wake(),
        },
        request,
        call,
      ),
  });
  server.addService(statusService, createStatusHandlers(checks));

  let address = '';
  return {
    name: 'tracking',
    async start() {
      await prepareDatabase(connection, trackingSchema, deps.schemaMode);
      relay.start();
      if (bus)
        await consumeTopics(
          bus,
          'tracking',
          { 'scoring.listing-audited.v1': createOnListingAudited({ listings }) },
          { 'scoring.keyword-scored.v1': createOnKeywordsScored({ keywordMarkets, dueKeywordMarkets, now }) },
        );
      address = await server.listen(deps.listenAddress);
      appRemovals.start();
      dailyRun.start();
      snapshotRuns.watch();
      sweep.start();
    },
    announceDraining() {
      // `stop` waits for the same ends and reports their errors.
      snapshotRuns.stop().catch(() => {});
      dailyRun.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([server.drain(drainMs), dailyRun.stop(), snapshotRuns.stop(), sweep.stop()]);
      await pageBatches.idle();
      await appRemovals.stop();
      await relay.stop();
    },
    address: () => address,
    inProcess: server.inProcess,
    checks,
  };
}

/** The handler of each RPC, with what it uses. */
function createHandlers(dependencies: Dependencies): GrpcHandlers<typeof TrackingServiceService> {
  const { trackedApps, trackedKeywords, competitors, listings, snapshots, rankedApps } = dependencies;
  const { keywordMarkets, readResultPage, saveResultPages } = dependencies;
  const { snapshotRuns, dueRun, dayRun } = dependencies;
  const { readListing, recordMissing, addTrackedListing, findTrackedListing, appRemovals } = dependencies;
  const { accountLocks, orderingTurns, planPlaces } = dependencies;
  const { dailyRun, now, sleep, wakeRelay } = dependencies;
  return {
    listApplications: (request) => listApplications({ trackedApps, trackedKeywords, listings }, request),
    trackApplication: (request, call) =>
      trackApplication(
        {
          trackedApps,
          listings,
          readListing,
          recordMissing,
          addTrackedListing,
          appRemovals,
          accountLocks,
          planPlaces,
          now,
          wakeRelay,
        },
        request,
        call,
      ),
    untrackApplication: (request, call) =>
      untrackApplication({ trackedApps, appRemovals, accountLocks, now, wakeRelay }, request, call),
    listKeywords: (request, call) =>
      listKeywords(
        { keywordMarkets, listings, orderingTurns, rankedApps, snapshots, trackedApps, trackedKeywords },
        request,
        call,
      ),
    trackKeywords: (request, call) =>
      trackKeywords(
        {
          keywordMarkets,
          trackedApps,
          trackedKeywords,
          findTrackedListing,
          readResultPage,
          saveResultPages,
          accountLocks,
          planPlaces,
          now,
          sleep,
          wakeRelay,
        },
        request,
        call,
      ),
    untrackKeyword: (request, call) => untrackKeyword({ trackedKeywords, now, wakeRelay }, request, call),
    setKeywordFavorite: (request) => setKeywordFavorite({ trackedApps, trackedKeywords }, request),
    getKeyword: (request) => getKeyword({ keywordMarkets, trackedKeywords }, request),
    getRankHistory: (request) =>
      getRankHistory(
        { keywordMarkets, listings, snapshots, trackedApps, trackedKeywords, competitors },
        request,
      ),
    listMovers: (request, call) =>
      listMovers({ trackedApps, trackedKeywords, listings, keywordMarkets, snapshots }, request, call),
    getTrackedListing: (request) => getTrackedListing({ trackedApps, listings }, request),
    listKeywordTracking: (request) =>
      listKeywordTracking({ keywordMarkets, trackedApps, trackedKeywords, listings }, request),
    trackCompetitor: (request, call) =>
      trackCompetitor(
        {
          trackedApps,
          competitors,
          listings,
          findTrackedListing,
          readListing,
          recordMissing,
          addTrackedListing,
          accountLocks,
          planPlaces,
          now,
        },
        request,
        call,
      ),
    untrackCompetitor: (request) => untrackCompetitor({ competitors, now }, request),
    listCompetitors: (request) => listCompetitors({ trackedApps, competitors, listings }, request),
    getTotals: (request) => getTotals({ trackedApps, trackedKeywords, competitors }, request),
    startSnapshotRun: (request, call) =>
      startSnapshotRun({ snapshotRuns, isInDailyRun: dailyRun.isOn(), dueRun, dayRun, now }, request, call),
    getSnapshotRun: () => getSnapshotRun({ snapshotRuns }),
  };
}
