import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchProcessState } from '@shelfwise/app/data-folder/control-socket';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { storeFetchDatabase } from '@shelfwise/store-fetch/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import { createStores, type Stores } from '@shelfwise/tracking/create-dependencies';
import type { Connection } from 'mongoose';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { startServiceProcess } from '../../testing/system/service-process.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { type Cleanup, createCleanup } from './cleanup.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';

/** Live services in separate processes, on a seeded database. */
export type SystemUnderTest = {
  /** tracking's stores */
  stores: Stores;
  /** One client per copy. */
  trackings: GrpcClient<typeof TrackingServiceService>[];
  /** Stops all processes, removes their data, and returns the exit codes. */
  stop(): Promise<(number | null)[]>;
};

export type SystemOptions = {
  /** The settings of one copy; each copy may have its own address for the stores. */
  settings(): Promise<Record<string, string>>;
  seed(connection: Connection): Promise<void>;
  logger: Logger;
};

/** A system with the gateway. */
export type WholeSystem = SystemUnderTest & { url: string; opsUrl: string | null; key: string | null };

/** `npm start` on a new data folder. */
export async function startOnDataFolder({ settings, seed, logger }: SystemOptions): Promise<WholeSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-daily-run-'));
  const cleanup = createCleanup();
  cleanup.add(() => rmSync(dataDir, { recursive: true, force: true }));
  try {
    const engine = await startEngine({ dataDir });
    const connection = await connectMongo({ uri: engine.mongodbUri, database: trackingDatabase, logger });
    await seed(connection);
    await connection.close();
    await engine.stop();

    const system = await startSystemProcess({
      SHELFWISE_DATA_DIR: dataDir,
      STORE_SOURCE: 'live',
      METRICS_PORT: '0',
      ...(await settings()),
    });
    cleanup.add(() => system.end('SIGINT'));
    const database = await openEmbeddedDatabase(dataDir, trackingDatabase);
    cleanup.add(() => database.close());
    const processState = await fetchProcessState(controlSocketPath(dataDir));
    const trackings = [connectTracking(processState?.tracking ?? '', cleanup)];
    const { url, opsUrl, key } = system;
    return { stores: createStores(database), trackings, url, opsUrl, key, stop: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/**
 * Starts copies of store-fetch and tracking, in pairs, on one MongoDB-compatible server without Shelfwise databases, and on
 * the engines of REDIS_URL and KAFKA_BROKERS.
 */
export async function startCopies(
  copies: number,
  uri: string,
  { settings, seed, logger }: SystemOptions,
): Promise<SystemUnderTest> {
  const cleanup = createCleanup();
  try {
    const database = await openEmpty(uri, trackingDatabase, cleanup, logger);
    await openEmpty(uri, storeFetchDatabase, cleanup, logger);
    // A service that consumes events needs indexes that the seed does not create.
    await promisify(execFile)(process.execPath, nodeArguments('app/src/commands/migrate.ts'), {
      env: { ...process.env, MONGODB_URI: uri },
    });
    await seed(database);
    // An empty setting counts as absent.
    const { REDIS_URL = '', KAFKA_BROKERS = '' } = process.env;
    const shared = {
      MONGODB_URI: uri,
      REDIS_URL,
      KAFKA_BROKERS,
      GRPC_ADDRESS: '127.0.0.1:0',
      LOG_LEVEL: 'warn',
    };
    const trackings: SystemUnderTest['trackings'] = [];
    for (let copy = 0; copy < copies; copy++) {
      const own = { ...shared, ...(await settings()) };
      const storeFetch = await startServiceProcess('services/store-fetch/src/main.ts', {
        STORE_SOURCE: 'live',
        ...own,
      });
      cleanup.add(() => storeFetch.end());
      const tracking = await startServiceProcess('services/tracking/src/main.ts', {
        STORE_FETCH_ADDRESS: storeFetch.address,
        ...own,
      });
      cleanup.add(() => tracking.end());
      if (!tracking.address) throw new Error(`a copy did not start:\n${storeFetch.line}${tracking.line}`);
      trackings.push(connectTracking(tracking.address, cleanup));
    }
    return { stores: createStores(database), trackings, stop: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** @throws Error when the database is not empty, because its data may be in use */
async function openEmpty(
  uri: string,
  database: string,
  cleanup: Cleanup,
  logger: Logger,
): Promise<Connection> {
  const connection = await connectMongo({ uri, database, logger });
  cleanup.add(() => connection.close());
  const collections = (await connection.db?.listCollections().toArray()) ?? [];
  if (collections.length > 0)
    throw new Error(
      `The database ${database} on that server is not empty. Use a server without Shelfwise data.`,
    );
  cleanup.add(() => connection.dropDatabase());
  return connection;
}

function connectTracking(address: string, cleanup: Cleanup): SystemUnderTest['trackings'][number] {
  const { client, close } = createGrpcClient({ service: TrackingServiceService, name: 'tracking', address });
  cleanup.add(close);
  return client;
}
