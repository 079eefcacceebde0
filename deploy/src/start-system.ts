import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createEmbeddedBus } from '@shelfwise/embedded/embedded-bus';
import { startEmbedded } from '@shelfwise/embedded/start-embedded';
import { databaseFile } from '@shelfwise/embedded/start-engine';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { type Clients, createClients } from '@shelfwise/gateway/clients';
import { createGateway } from '@shelfwise/gateway/gateway';
import { readPlans } from '@shelfwise/gateway/plans/plans';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { EventBus } from '@shelfwise/runtime/events';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import type { Logger } from '@shelfwise/runtime/logger';
import { createMetrics, type Metrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo';
import { createOpsServer } from '@shelfwise/runtime/ops-server';
import type { Run } from '@shelfwise/runtime/run';
import { createSource } from '@shelfwise/store-fetch/create-source';
import { createStoreFetchServer } from '@shelfwise/store-fetch/server';
import type { StoreSource } from '@shelfwise/store-fetch/sources/source';
import { trackingDatabase } from '@shelfwise/tracking/config';
import { createTrackingServer } from '@shelfwise/tracking/server';
import { answerAccountCommands } from './answer-account-commands.ts';
import { claimFolder } from './claim-folder.ts';
import type { AllInOneSettings } from './config.ts';
import { databaseMark } from './control.ts';

export type SystemDeps = {
  settings: AllInOneSettings;
  run: Run;
  logger: Logger;
  /** the entry of the embedded database's thread */
  worker: URL;
  process: { pid: number; nodeVersion: string };
};

export type System = {
  url: string;
  dataDir: string;
  /** Nothing was ever kept in the data folder before this start. */
  isFresh: boolean;
  accounts: Accounts;
  clients: Clients;
  source: StoreSource;
  bus: EventBus;
  /** Tells the health page and a second start that this one is about to end. */
  announceDraining(): void;
};

/** A service on loopback gets a port that the system chooses. */
const listenAddress = '127.0.0.1:0';

/**
 * The whole product in one process: the same services as started alone, over the same gRPC, on the embedded database
 * and event bus. Everything started is left to `run`, which stops it in the reverse order.
 * @throws StartError, ConfigError, or what a part throws that cannot start
 */
export async function startSystem({ settings, run, logger, worker, process }: SystemDeps): Promise<System> {
  const plans = await readPlans(settings.SHELFWISE_PLANS_FILE);
  const dataDir = resolve(settings.SHELFWISE_DATA_DIR);
  const holder = {
    state: 'starting',
    pid: process.pid,
    database: databaseMark(settings.MONGODB_URI),
  } as const;
  const { control, release } = await claimFolder(dataDir, holder);
  run.closing('data folder', release);
  const isFresh = settings.MONGODB_URI === undefined && !existsSync(databaseFile(dataDir));

  const metrics = createMetrics({ withProcess: true });
  const now = () => new Date();
  const databases = await openDatabases({ settings, run, logger, worker, dataDir });
  const bus = await createEmbeddedBus({ connection: databases.events, logger, now });
  run.closing('event bus', () => bus.stop());

  const { source, status } = createSource(settings, { metrics, now });
  const checks = { 'store source': status };
  const storeFetch = await run.start(
    createStoreFetchServer({ source, checks, logger, metrics, listenAddress }),
  );
  const tracking = await startTracking({
    run,
    databases,
    storeFetch: storeFetch.address(),
    bus,
    logger,
    metrics,
  });

  const { clients, close } = createClients({ tracking, storeFetch: storeFetch.address() });
  run.closing('clients', async () => close());
  const gateway = createGateway({
    ...{
      connection: databases.gateway,
      isDatabaseEmbedded: databases.isEmbedded,
      clients,
      plans,
      logger,
      metrics,
    },
    ...{ now, monotonicMs: () => performance.now(), port: settings.PORT, trustProxy: settings.TRUST_PROXY },
    shownSettings: { 'store source': settings.STORE_SOURCE },
    nodeVersion: process.nodeVersion,
  });
  await run.start(gateway);
  if (settings.METRICS_PORT !== undefined)
    await run.start(createOpsServer({ port: settings.METRICS_PORT, metrics, checks }));

  const url = `http://localhost:${gateway.address()?.port}`;
  control.takeCommands(answerAccountCommands(gateway.accounts, logger));
  control.say({ state: 'running', url });
  return {
    ...{ url, dataDir, isFresh, accounts: gateway.accounts, clients, source, bus },
    announceDraining() {
      control.say({ state: 'draining' });
      control.takeCommands(null);
      gateway.announceDraining();
    },
  };
}

type Databases = Awaited<ReturnType<typeof openDatabases>>;

/**
 * The services' databases, on the server that MONGODB_URI names or embedded; the events' is always embedded. What was
 * read from the sample catalogue is kept apart from what was read from live stores, so that switching the source never
 * shows the one as the other; accounts are the same for both.
 */
async function openDatabases(deps: Omit<SystemDeps, 'process'> & { dataDir: string }) {
  const { settings, run, logger, worker, dataDir } = deps;
  const engine = await startEmbedded({
    dataDir,
    worker,
    onFailure: (error) => {
      logger.fatal({ err: error }, 'the embedded database has failed');
      run.stop(1);
    },
  });
  run.closing('embedded database', () => engine.stop());
  const open = async (uri: string, database: string) => {
    const connection = await connectMongo({ uri, database, logger });
    run.closing(database, () => connection.close());
    return connection;
  };
  const uri = settings.MONGODB_URI ?? engine.mongodbUri;
  const { STORE_SOURCE: source } = settings;
  return {
    isEmbedded: settings.MONGODB_URI === undefined,
    events: await open(engine.mongodbUri, ofSource('shelfwise_events', source)),
    tracking: await open(uri, ofSource(trackingDatabase, source)),
    gateway: await open(uri, 'shelfwise_gateway'),
  };
}

/** The database that keeps what comes from one kind of source. */
export function ofSource(database: string, source: AllInOneSettings['STORE_SOURCE']): string {
  return source === 'sample' ? `${database}_sample` : database;
}

async function startTracking(deps: {
  run: Run;
  databases: Databases;
  storeFetch: string;
  bus: EventBus;
  logger: Logger;
  metrics: Metrics;
}): Promise<string> {
  const { run, databases, bus, logger, metrics } = deps;
  const { client, close } = createGrpcClient({
    service: StoreFetchServiceService,
    name: 'store-fetch',
    address: deps.storeFetch,
  });
  run.closing('store-fetch client', async () => close());
  const service = createTrackingServer({
    ...{ connection: databases.tracking, isDatabaseEmbedded: databases.isEmbedded, storeFetch: client, bus },
    ...{ logger, metrics, now: () => new Date(), listenAddress },
  });
  await run.start(service);
  return service.address();
}

/** Where the demo account's key is kept. */
export function demoKeyFile(dataDir: string): string {
  return join(dataDir, 'demo-key');
}
