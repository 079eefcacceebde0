import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { consumeTopics, type TopicHandlers } from '@shelfwise/runtime/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events';
import { createGrpcServer } from '@shelfwise/runtime/grpc-server';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo-queries/prepare-database';
import { createOutboxRelay } from '@shelfwise/runtime/outbox';
import type { Contracts } from '@shelfwise/runtime/reflection';
import type { DrainingPart } from '@shelfwise/runtime/run';
import type { StatusCheck } from '@shelfwise/runtime/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/status-service';
import type { Connection } from 'mongoose';
import { createOnApplicationTracked } from './events/on-application-tracked.ts';
import { createOnApplicationUntracked } from './events/on-application-untracked.ts';
import { createOnKeywordTracked } from './events/on-keyword-tracked.ts';
import { createOnKeywordTracking } from './events/on-keyword-tracking.ts';
import { createOnListingChanged } from './events/on-listing-changed.ts';
import { createOnListingRead } from './events/on-listing-read.ts';
import { createOnSnapshotTaken } from './events/on-snapshot-taken.ts';
import { checkMetadata } from './handlers/check-metadata.ts';
import { compareVisibility } from './handlers/compare-visibility.ts';
import { explainScores } from './handlers/explain-scores.ts';
import { getAsoHealth } from './handlers/get-aso-health.ts';
import { getScoreHistory } from './handlers/get-score-history.ts';
import { getSimulation } from './handlers/get-simulation.ts';
import { inspectKeyword } from './handlers/inspect-keyword.ts';
import { listInspections } from './handlers/list-inspections.ts';
import { listSimulations } from './handlers/list-simulations.ts';
import { scoreTerms } from './handlers/score-terms.ts';
import { simulateListing } from './handlers/simulate-listing.ts';
import { createScoringParts, type ScoringParts } from './scoring-parts.ts';

const drainMs = 8000;

/** The scoring service on one database. Without a bus its outbox keeps what it would publish, and it consumes nothing. */
export function createScoringServer(deps: {
  /** to the database that is scoring's own */
  connection: Connection;
  isDatabaseEmbedded: boolean;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  bus: EventBus | null;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** Between two looks at what is due; by the clock on the wall when none is given. */
  sleep?: Sleep;
  /** host:port; port 0 lets the system choose */
  listenAddress: string;
  /** What clients may ask for; null: nothing. */
  contracts: Contracts | null;
}): DrainingPart & { address(): string; checks: Readonly<Record<string, StatusCheck>> } {
  const { connection, storeFetch, bus, logger, metrics, now } = deps;
  const parts = createScoringParts({
    connection,
    storeFetch,
    logger,
    metrics,
    now,
    sleep,
    ...(deps.sleep && { sleep: deps.sleep }),
    random: Math.random,
    wake: () => relay.wake(),
  });
  const relay = createOutboxRelay({ models: parts.outboxes, bus, logger, metrics });
  const checks = {
    database: databaseStatus(connection, deps.isDatabaseEmbedded),
    events: relay.status,
    'scoring run': parts.run.status,
  };

  const server = createGrpcServer({ name: 'scoring', logger, metrics });
  server.addService(ScoringServiceService, {
    getAsoHealth: (request, call) => getAsoHealth(parts, request, call),
    getScoreHistory: (request) => getScoreHistory(parts, request),
    checkMetadata: (request) => checkMetadata(request),
    simulateListing: (request, call) => simulateListing(parts, request, call),
    listSimulations: (request) => listSimulations(parts, request),
    getSimulation: (request) => getSimulation(parts, request),
    inspectKeyword: (request, call) => inspectKeyword(parts, request, call),
    listInspections: (request) => listInspections(parts, request),
    explainScores: (request, call) => explainScores(parts, request, call),
    scoreTerms: (request, call) => scoreTerms(parts, request, call),
    compareVisibility: (request, call) => compareVisibility(parts, request, call),
  });
  server.addService(statusService, createStatusHandlers(checks));
  if (deps.contracts) server.reflect(deps.contracts);

  let address = '';
  return {
    name: 'scoring',
    async start() {
      await prepareDatabase(connection);
      relay.start();
      address = await server.listen(deps.listenAddress);
      parts.run.start();
      if (bus) await consumeTopics(bus, 'scoring', consumersOf(parts));
    },
    announceDraining() {
      // `stop` tells what went wrong.
      parts.run.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([server.drain(drainMs), parts.run.stop()]);
      await relay.stop();
    },
    address: () => address,
    checks,
  };
}

function consumersOf(parts: ScoringParts): TopicHandlers {
  const onKeywordTracked = createOnKeywordTracked(parts);
  const keywordTracking = createOnKeywordTracking(parts);
  return {
    'tracking.application-tracked.v1': createOnApplicationTracked(parts),
    'tracking.application-untracked.v1': createOnApplicationUntracked(parts),
    'tracking.listing-changed.v1': createOnListingChanged(parts),
    'tracking.listing-read.v1': createOnListingRead(parts),
    'tracking.keyword-tracked.v1': async (message, event) => {
      await onKeywordTracked(message, event);
      await keywordTracking.onTracked(message);
    },
    'tracking.keyword-untracked.v1': keywordTracking.onUntracked,
    'tracking.snapshot-taken.v1': createOnSnapshotTaken(parts),
  };
}
