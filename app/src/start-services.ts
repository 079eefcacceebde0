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
import { claimFolder } from './claim-folder.ts';
import type { AllInOneSettings } from './config.ts';
import { databaseMark, type HolderState } from './control.ts';
import { type Databases, openDatabases } from './open-databases.ts';

export type StartDeps = {
  settings: AllInOneSettings;
  run: Run;
  logger: Logger;
  /** the entry of the embedded database's thread */
  worker: URL;
  process: { pid: number; nodeVersion: string };
};

export type Services = Awaited<ReturnType<typeof startServices>>;

/** A service on loopback gets a port that the system chooses. */
const listenAddress = '127.0.0.1:0';

/**
 * Everything behind the gateway in one process: the same services as started alone, over the same gRPC, on the
 * embedded database and event bus. What was started is left to `run`, which stops it in the reverse order. `state` is
 * what the folder's local socket says of this process.
 * @throws StartError, or what a part throws that cannot start
 */
export async function startServices(deps: StartDeps, state: HolderState['state']) {
  const { settings, run, logger } = deps;
  const dataDir = resolve(settings.SHELFWISE_DATA_DIR);
  const { control, release } = await claimFolder(dataDir, {
    state,
    pid: deps.process.pid,
    source: settings.STORE_SOURCE,
    database: databaseMark(settings.MONGODB_URI),
  });
  run.onStop('data folder', release);
  const isFresh = settings.MONGODB_URI === undefined && !existsSync(databaseFile(dataDir));

  const metrics = createMetrics({ withProcess: true });
  const now = () => new Date();
  const databases = await openDatabases({ ...deps, dataDir });
  const bus = await createEmbeddedBus({ connection: databases.events, logger, now });
  run.onStop('event bus', () => bus.stop());
  const parts = { databases, bus, metrics, now };
  const { source, checks, address } = await startStoreFetch(deps, parts);
  const storeFetch = connect(deps, { service: StoreFetchServiceService, name: 'store-fetch', address });
  const scoring = await startScoring(deps, { ...parts, storeFetch });
  const niche = await startNiche(deps, { ...parts, storeFetch, scoring: scoring.address() });
  // A command that has the services to itself reads what it says that it reads, and no charts beside it.
  const readsCharts = settings.DAILY_RUN && state === 'starting';
  const chart = await startChart(deps, { ...parts, storeFetch, dailyRun: readsCharts });
  const tracking = await startTracking(deps, { ...parts, storeFetch });
  control.say({ tracking: tracking.address(), scoring: scoring.address() });
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
    /** Their own work ends now, before they stop one after the other. */
    announceDraining() {
      niche.announceDraining();
      chart.announceDraining();
      scoring.announceDraining();
      tracking.announceDraining();
    },
    /** How each part is, by its name. */
    checks: {
      ...checks,
      ...tracking.checks,
      ...ofService('scoring', scoring.checks),
      ...ofService('niche', niche.checks),
      ...ofService('chart', chart.checks),
    },
  };
}

type Parts = {
  databases: Databases;
  bus: EventBus;
  metrics: ReturnType<typeof createMetrics>;
  now: () => Date;
};

async function startStoreFetch({ settings, run, logger }: StartDeps, { databases, metrics, now }: Parts) {
  const database = { connection: databases.storeFetch, isDatabaseEmbedded: databases.isEmbedded };
  const { stop, ...chosen } = createSource(settings, { ...database, metrics, now, logger });
  run.onStop('store source', stop);
  const service = createStoreFetchServer({
    ...chosen,
    ...database,
    now,
    logger,
    metrics,
    listenAddress,
    contracts: null,
  });
  await run.start(service);
  const checks = { ...chosen.checks, ...ofService('store-fetch', { database: service.checks.database }) };
  return { source: chosen.source, checks, address: service.address() };
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
  { databases, bus, metrics, now, storeFetch }: Parts & { storeFetch: StoreFetch },
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
  { databases, metrics, now, storeFetch, scoring }: Parts & { storeFetch: StoreFetch; scoring: string },
) {
  const { settings, run, logger } = deps;
  // Who waits minutes for an analysis, in the terminal beside it, is to see that it gets on.
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
  { run, logger }: StartDeps,
  { databases, metrics, now, storeFetch, dailyRun }: Parts & { storeFetch: StoreFetch; dailyRun: boolean },
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
    dailyRun,
  });
  return run.start(service);
}

async function startTracking(
  { settings, run, logger }: StartDeps,
  { databases, bus, metrics, now, storeFetch }: Parts & { storeFetch: StoreFetch },
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

/** Parts that another service has too, under names that tell whose they are. */
function ofService(service: string, checks: Readonly<Record<string, StatusCheck>>) {
  return Object.fromEntries(
    Object.entries(checks).map(([part, check]): [string, StatusCheck] => {
      const name = `${service}: ${part}`;
      return [name, async () => ({ ...(await check()), name })];
    }),
  );
}
