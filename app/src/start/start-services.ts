import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createChartServer } from '@shelfwise/chart/server';
import { databaseFile } from '@shelfwise/embedded/start-engine';
import { createNicheServer } from '@shelfwise/niche/server';
import { toMailSettings } from '@shelfwise/notify/mail-settings';
import { createNotifyServer } from '@shelfwise/notify/server';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { sleep as realSleep, type Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { connectClient } from '@shelfwise/runtime/grpc/client/connect-client';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { createMetrics, type Metrics } from '@shelfwise/runtime/metrics/metrics';
import { type DiskSpaceWatch, watchDiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { Run } from '@shelfwise/runtime/process/run';
import { openRedis } from '@shelfwise/runtime/redis/connect-redis';
import { createSecretBox, type SecretBox } from '@shelfwise/runtime/secrets/secret-box';
import type { GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createScoringServer } from '@shelfwise/scoring/server';
import { createSource } from '@shelfwise/store-fetch/create-source';
import { createStoreFetchServer } from '@shelfwise/store-fetch/server';
import type { SourceDeps } from '@shelfwise/store-fetch/start-live-source';
import { createTrackingServer } from '@shelfwise/tracking/server';
import type { AllInOneSettings } from '../config.ts';
import { claimFolder, wrapFolderErrors } from '../data-folder/claim-folder.ts';
import { databaseFingerprint } from '../data-folder/control-socket.ts';
import { describeOpenFolder } from '../data-folder/describe-open-folder.ts';
import { type OperatorSockets, prepareOperatorSockets } from '../data-folder/operator-sockets.ts';
import { ensureSecretsKey } from './ensure-secrets-key.ts';
import { type Buses, openBuses } from './open-buses.ts';
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
  /** for the rate windows, also as the assistant server keeps them; never goes back. That of the process when absent */
  monotonicMs?: () => number;
  /** how background work waits until a time of `now`; real timers when absent */
  sleep?: Sleep;
  /** sends to the channels of accounts; over the network when absent */
  post?: Parameters<typeof createNotifyServer>[0]['post'];
  /** a new one when absent */
  createCatalog?: SourceDeps['createCatalog'];
  /** 0 to 1, for the pauses before a store is asked again; Math.random when absent */
  random?: SourceDeps['random'];
};

export type Services = Awaited<ReturnType<typeof startServices>>;

/**
 * Starts everything behind the gateway in one process: the services, which call each other without sockets, on the
 * buses of `openBuses` and the databases of `openDatabases`. `run` stops all parts in reverse order.
 * @throws StartError, or the error of a part that cannot start
 */
export async function startServices(deps: StartDeps) {
  const { settings, run, logger, now = () => new Date(), sleep = realSleep } = deps;
  const dataDir = resolve(settings.SHELFWISE_DATA_DIR);
  const { control, release } = await claimFolder(dataDir, {
    state: 'starting',
    pid: deps.process.pid,
    source: settings.STORE_SOURCE,
    database: databaseFingerprint(settings),
  });
  run.onStop('data folder', release);
  const folderWarning = describeOpenFolder(dataDir);
  if (folderWarning) logger.warn(folderWarning);
  const isFresh = settings.MONGODB_URI === undefined && !existsSync(databaseFile(dataDir));

  const sockets = await wrapFolderErrors(dataDir, () => prepareOperatorSockets(dataDir));
  const metrics = createMetrics({ withProcess: settings.METRICS_PORT !== undefined, now });
  const diskSpace =
    settings.MONGODB_URI === undefined ? await watchFolder(dataDir, metrics, deps) : undefined;
  const redis = await openRedis(settings, { logger, metrics, onStop: run.onStop });
  const databases = await openDatabases({ ...deps, dataDir });
  const buses = await openBuses({ settings, databases, run, logger, metrics, now });

  const secretBox = createSecretBox(await ensureSecretsKey(dataDir, settings.SECRETS_KEY));
  const isDatabaseEmbedded = databases.isEmbedded;
  const shared = {
    isDatabaseEmbedded,
    isOnlyCopy: isDatabaseEmbedded,
    diskSpace,
    logger,
    metrics,
    now,
    sleep,
  };
  const services = await startInOrder(deps, { databases, redis, buses, secretBox, shared, sockets });
  const { source, storeFetch, scoring, niche, chart, notify, tracking } = services;
  control.update({ tracking: tracking.address(), scoring: scoring.address() });
  return {
    dataDir,
    diskSpace,
    isFresh,
    control,
    databases,
    redis,
    buses,
    metrics,
    now,
    source: source.source,
    storeFetch: storeFetch.inProcess,
    tracking: tracking.inProcess,
    scoring: scoring.inProcess,
    niche: niche.inProcess,
    chart: chart.inProcess,
    notify: notify.inProcess,
    /** Ends all background work now; `run` stops the services one by one later. */
    announceDraining() {
      niche.announceDraining();
      chart.announceDraining();
      notify.announceDraining();
      scoring.announceDraining();
      tracking.announceDraining();
    },
  };
}

/** Starts each service after those that it calls. */
async function startInOrder(
  { settings, run, logger, post, createCatalog, random }: StartDeps,
  {
    databases,
    redis,
    buses,
    secretBox,
    shared,
    sockets,
  }: {
    databases: Databases;
    redis: Awaited<ReturnType<typeof openRedis>>;
    buses: Buses;
    secretBox: SecretBox;
    shared: Omit<GrpcServiceDeps, 'connection' | 'listenAddress'> & { sleep: Sleep };
    sockets: OperatorSockets;
  },
) {
  const { SNAPSHOT_RETENTION_DAYS: snapshotDays, HISTORY_RETENTION_DAYS: historyDays } = settings;
  const source = await createSource(settings, {
    ...shared,
    connection: databases.storeFetch,
    redis,
    createCatalog,
    random,
  });
  run.onStop('store source', source.stop);
  const storeFetch = await run.start(
    createStoreFetchServer({
      ...shared,
      ...source,
      connection: databases.storeFetch,
      listenAddress: null,
      bus: buses.storeFetch,
      historyDays,
    }),
  );
  const storeFetchClient = connectClient(run.onStop, {
    service: StoreFetchServiceService,
    name: 'store-fetch',
    address: storeFetch.inProcess,
    metrics: shared.metrics,
  });
  const scoring = await run.start(
    createScoringServer({
      ...shared,
      connection: databases.scoring,
      storeFetch: storeFetchClient,
      bus: buses.scoring,
      retention: { snapshotDays, historyDays },
      listenAddress: sockets.scoring,
    }),
  );
  const niche = await run.start(
    createNicheServer({
      ...shared,
      connection: databases.niche,
      storeFetch: storeFetchClient,
      scoring: connectClient(run.onStop, {
        service: ScoringServiceService,
        name: 'scoring',
        address: scoring.inProcess,
        metrics: shared.metrics,
      }),
      historyDays,
      listenAddress: null,
      // An analysis takes minutes: the terminal shows its progress unless the operator chose a log level.
      progressLogger: settings.LOG_LEVEL === undefined ? logger.child({}, { level: 'info' }) : logger,
    }),
  );
  const chart = await run.start(
    createChartServer({
      ...shared,
      connection: databases.chart,
      storeFetch: storeFetchClient,
      bus: buses.chart,
      snapshotDays,
      listenAddress: null,
      dailyRun: settings.DAILY_RUN,
    }),
  );
  // Before tracking, so that it hears of the first change.
  const notify = await run.start(
    createNotifyServer({
      ...shared,
      connection: databases.notify,
      bus: buses.notify,
      secretBox,
      mail: toMailSettings(settings),
      target: { allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE },
      post,
      listenAddress: null,
    }),
  );
  const tracking = await run.start(
    createTrackingServer({
      ...shared,
      connection: databases.tracking,
      storeFetch: storeFetchClient,
      listenAddress: sockets.tracking,
      bus: buses.tracking,
      snapshotDays,
      dailyRun: settings.DAILY_RUN,
    }),
  );
  return { source, storeFetch, scoring, niche, chart, notify, tracking };
}

async function watchFolder(
  dataDir: string,
  metrics: Metrics,
  { settings, run, logger }: StartDeps,
): Promise<DiskSpaceWatch> {
  const diskSpace = await watchDiskSpace({
    readFreeBytes: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    minFreeBytes: settings.MIN_FREE_DISK_MB * 2 ** 20,
    advice: `Free some space on the disk of ${dataDir}, or lower MIN_FREE_DISK_MB.`,
    logger,
    metrics,
  });
  run.onStop('disk space', diskSpace.stop);
  return diskSpace;
}
