import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createChartServer } from '@shelfwise/chart/server';
import { createEmbeddedBus } from '@shelfwise/embedded/bus/embedded-bus';
import { databaseFile } from '@shelfwise/embedded/start-engine';
import { createNicheServer } from '@shelfwise/niche/server';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import type { GrpcClient, ServiceTable } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import type { Run } from '@shelfwise/runtime/process/run';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createScoringServer } from '@shelfwise/scoring/server';
import { createSource } from '@shelfwise/store-fetch/create-source';
import { createStoreFetchServer } from '@shelfwise/store-fetch/server';
import { createTrackingServer } from '@shelfwise/tracking/server';
import type { AllInOneSettings } from '../config.ts';
import { claimFolder } from '../data-folder/claim-folder.ts';
import { databaseFingerprint } from '../data-folder/control-socket.ts';
import { type Databases, openDatabases } from './open-databases.ts';

export type StartDeps = {
  settings: AllInOneSettings;
  run: Run;
  logger: Logger;
  /** the entry file of the embedded database's thread */
  worker: URL;
  process: { pid: number; nodeVersion: string };
  /** the system clock when absent */
  now?: () => Date;
};

export type Services = Awaited<ReturnType<typeof startServices>>;

/** Local only; with port 0 the operating system chooses a free port. */
const listenAddress = '127.0.0.1:0';

/**
 * Starts everything behind the gateway in one process: the services, over the same gRPC as when they run alone, on the
 * embedded event bus and the databases of `openDatabases`. `run` stops all parts in reverse order.
 * @throws StartError, or the error of a part that cannot start
 */
export async function startServices(deps: StartDeps) {
  const { settings, run, logger, now = () => new Date() } = deps;
  const dataDir = resolve(settings.SHELFWISE_DATA_DIR);
  const { control, release } = await claimFolder(dataDir, {
    state: 'starting',
    pid: deps.process.pid,
    source: settings.STORE_SOURCE,
    database: databaseFingerprint(settings.MONGODB_URI),
  });
  run.onStop('data folder', release);
  const isFresh = settings.MONGODB_URI === undefined && !existsSync(databaseFile(dataDir));

  const metrics = createMetrics({ withProcess: true });
  const databases = await openDatabases({ ...deps, dataDir });
  const bus = await createEmbeddedBus({ connection: databases.events, logger, now });
  run.onStop('event bus', () => bus.stop());
  const shared = { databases, bus, metrics, now };
  const { source, checks, address } = await startStoreFetch(deps, shared);
  const storeFetch = connect(deps, { service: StoreFetchServiceService, name: 'store-fetch', address });
  const scoring = await startScoring(deps, { ...shared, storeFetch });
  const niche = await startNiche(deps, { ...shared, storeFetch, scoring: scoring.address() });
  const chart = await startChart(deps, { ...shared, storeFetch });
  const tracking = await startTracking(deps, { ...shared, storeFetch });
  control.update({ tracking: tracking.address(), scoring: scoring.address() });
  return {
    dataDir,
    isFresh,
    control,
    databases,
    bus,
    metrics,
    now,
    source,
    storeFetch: address,
    tracking: tracking.address(),
    scoring: scoring.address(),
    niche: niche.address(),
    chart: chart.address(),
    /** Ends all background work now; `run` stops the services one by one later. */
    announceDraining() {
      niche.announceDraining();
      chart.announceDraining();
      scoring.announceDraining();
      tracking.announceDraining();
    },
    /** The status checks of all parts, by the name that the health page shows. */
    checks: {
      ...checks,
      ...tracking.checks,
      ...prefixChecks('scoring', scoring.checks),
      ...prefixChecks('niche', niche.checks),
      ...prefixChecks('chart', chart.checks),
    },
  };
}

type SharedDeps = {
  databases: Databases;
  bus: EventBus;
  metrics: ReturnType<typeof createMetrics>;
  now: () => Date;
};

async function startStoreFetch(
  { settings, run, logger }: StartDeps,
  { databases, metrics, now }: SharedDeps,
) {
  const database = { connection: databases.storeFetch, isDatabaseEmbedded: databases.isEmbedded };
  const { stop, ...selectedSource } = createSource(settings, { ...database, metrics, now, logger });
  run.onStop('store source', stop);
  const service = createStoreFetchServer({
    ...selectedSource,
    ...database,
    now,
    logger,
    metrics,
    listenAddress,
    contracts: null,
  });
  await run.start(service);
  const checks = {
    ...selectedSource.checks,
    ...prefixChecks('store-fetch', { database: service.checks.database }),
  };
  return { source: selectedSource.source, checks, address: service.address() };
}

type StoreFetch = GrpcClient<typeof StoreFetchServiceService>;

function connect<Service extends ServiceTable>(
  { run }: StartDeps,
  called: { service: Service; name: string; address: string },
): GrpcClient<Service> {
  const { client, close } = createGrpcClient(called);
  run.onStop(`${called.name} client`, async () => close());
  return client;
}

async function startScoring(
  { run, logger }: StartDeps,
  { databases, bus, metrics, now, storeFetch }: SharedDeps & { storeFetch: StoreFetch },
) {
  const service = createScoringServer({
    connection: databases.scoring,
    isDatabaseEmbedded: databases.isEmbedded,
    storeFetch,
    bus,
    logger,
    metrics,
    now,
    listenAddress,
    contracts: null,
  });
  return run.start(service);
}

async function startNiche(
  deps: StartDeps,
  { databases, metrics, now, storeFetch, scoring }: SharedDeps & { storeFetch: StoreFetch; scoring: string },
) {
  const { settings, run, logger } = deps;
  // An analysis takes minutes: the terminal shows its progress unless the operator chose a log level.
  const progressLogger = settings.LOG_LEVEL === undefined ? logger.child({}, { level: 'info' }) : logger;
  const service = createNicheServer({
    connection: databases.niche,
    isDatabaseEmbedded: databases.isEmbedded,
    storeFetch,
    scoring: connect(deps, { service: ScoringServiceService, name: 'scoring', address: scoring }),
    logger,
    progressLogger,
    metrics,
    now,
    listenAddress,
    contracts: null,
  });
  return run.start(service);
}

async function startChart(
  { settings, run, logger }: StartDeps,
  { databases, metrics, now, storeFetch }: SharedDeps & { storeFetch: StoreFetch },
) {
  const service = createChartServer({
    connection: databases.chart,
    isDatabaseEmbedded: databases.isEmbedded,
    storeFetch,
    logger,
    metrics,
    now,
    listenAddress,
    contracts: null,
    dailyRun: settings.DAILY_RUN,
  });
  return run.start(service);
}

async function startTracking(
  { settings, run, logger }: StartDeps,
  { databases, bus, metrics, now, storeFetch }: SharedDeps & { storeFetch: StoreFetch },
) {
  const service = createTrackingServer({
    connection: databases.tracking,
    isDatabaseEmbedded: databases.isEmbedded,
    storeFetch,
    bus,
    logger,
    metrics,
    now,
    listenAddress,
    contracts: null,
    dailyRun: settings.DAILY_RUN,
  });
  return run.start(service);
}

/** Puts the service's name before the names of its checks, because several services have a check of the same name. */
function prefixChecks(service: string, checks: Readonly<Record<string, StatusCheck>>) {
  return Object.fromEntries(
    Object.entries(checks).map(([part, check]): [string, StatusCheck] => {
      const name = `${service}: ${part}`;
      return [name, async () => ({ ...(await check()), name })];
    }),
  );
}
