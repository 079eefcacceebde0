import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { Contracts } from '@shelfwise/runtime/grpc/reflection';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { Connection } from 'mongoose';
import { createOnKeywordScored } from './events/on-keyword-scored.ts';
import { createOnListingAudited } from './events/on-listing-audited.ts';
import { getRankHistory } from './handlers/get-rank-history.ts';
import { getSnapshotRun } from './handlers/get-snapshot-run.ts';
import { getTotals } from './handlers/get-totals.ts';
import { getTrackedListing } from './handlers/get-tracked-listing.ts';
import { listApplications } from './handlers/list-applications.ts';
import { listCompetitors } from './handlers/list-competitors.ts';
import { listKeywordTracking } from './handlers/list-keyword-tracking.ts';
import { listKeywords } from './handlers/list-keywords.ts';
import { setKeywordFavorite } from './handlers/set-keyword-favorite.ts';
import { startSnapshotRun } from './handlers/start-snapshot-run.ts';
import { trackApplication } from './handlers/track-application.ts';
import { trackCompetitor } from './handlers/track-competitor.ts';
import { trackKeywords } from './handlers/track-keywords.ts';
import { untrackApplication } from './handlers/untrack-application.ts';
import { untrackCompetitor } from './handlers/untrack-competitor.ts';
import { untrackKeyword } from './handlers/untrack-keyword.ts';
import { createTrackingParts } from './tracking-parts.ts';

const drainMs = 8000;

/** The tracking service on one database. Without a bus its outbox keeps what it would publish, and it learns no scores. */
export function createTrackingServer(deps: {
  /** to the database that is tracking's own */
  connection: Connection;
  isDatabaseEmbedded: boolean;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  bus: EventBus | null;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** Whether this copy takes part in the daily run. */
  dailyRun: boolean;
  /** Between two looks of the daily run; by the clock on the wall when none is given. */
  sleep?: Sleep;
  /** host:port; port 0 lets the system choose */
  listenAddress: string;
  /** What clients may ask for; null: nothing. */
  contracts: Contracts | null;
}): DrainingPart & { address(): string; checks: Readonly<Record<string, StatusCheck>> } {
  const { connection, storeFetch, bus, logger, metrics, now } = deps;
  const parts = createTrackingParts({
    connection,
    storeFetch,
    logger,
    metrics,
    now,
    sleep,
    ...(deps.sleep && { sleep: deps.sleep }),
    isInDailyRun: deps.dailyRun,
    random: Math.random,
    wake: () => relay.wake(),
  });
  const relay = createOutboxRelay({ models: parts.outboxes, bus, logger, metrics });
  const checks = {
    database: databaseStatus(connection, deps.isDatabaseEmbedded),
    events: relay.status,
    'daily run': parts.dailyRun.status,
  };

  const server = createGrpcServer({ name: 'tracking', logger, metrics });
  server.addService(TrackingServiceService, {
    listApplications: (request) => listApplications(parts, request),
    trackApplication: (request, call) => trackApplication(parts, request, call),
    untrackApplication: (request, call) => untrackApplication(parts, request, call),
    listKeywords: (request) => listKeywords(parts, request),
    trackKeywords: (request, call) => trackKeywords(parts, request, call),
    untrackKeyword: (request, call) => untrackKeyword(parts, request, call),
    setKeywordFavorite: (request) => setKeywordFavorite(parts, request),
    getRankHistory: (request) => getRankHistory(parts, request),
    getTrackedListing: (request) => getTrackedListing(parts, request),
    listKeywordTracking: (request) => listKeywordTracking(parts, request),
    trackCompetitor: (request, call) => trackCompetitor(parts, request, call),
    untrackCompetitor: (request) => untrackCompetitor(parts, request),
    listCompetitors: (request) => listCompetitors(parts, request),
    getTotals: (request) => getTotals(parts, request),
    startSnapshotRun: (request, call) => startSnapshotRun(parts, request, call),
    getSnapshotRun: () => getSnapshotRun(parts),
  });
  server.addService(statusService, createStatusHandlers(checks));
  if (deps.contracts) server.reflect(deps.contracts);

  let address = '';
  return {
    name: 'tracking',
    async start() {
      await prepareDatabase(connection);
      await parts.applicationSweeper.sweepAll();
      relay.start();
      if (bus)
        await consumeTopics(bus, 'tracking', {
          'scoring.keyword-scored.v1': createOnKeywordScored(parts),
          'scoring.listing-audited.v1': createOnListingAudited(parts),
        });
      address = await server.listen(deps.listenAddress);
      parts.dailyRun.start();
    },
    announceDraining() {
      parts.snapshotRuns.stop();
      // `stop` tells what went wrong.
      parts.dailyRun.stop().catch(() => {});
    },
    async stop() {
      parts.snapshotRuns.stop();
      await Promise.all([server.drain(drainMs), parts.dailyRun.stop()]);
      await parts.pageWriter.idle();
      await parts.applicationSweeper.stop();
      await relay.stop();
    },
    address: () => address,
    checks,
  };
}
