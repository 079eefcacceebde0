import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchProcessState } from '@shelfwise/app/data-folder/control-socket';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo';
import { storeFetchDatabase } from '@shelfwise/store-fetch/config';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { Connection } from 'mongoose';
import { startServiceProcess } from '../../testing/system/service-process.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { openEmbeddedDatabase } from './event-reader.ts';

/** Live services as processes of their own, on a database that was filled before they started. */
export type SystemUnderTest = {
  /** Of tracking, for looking into while they run. */
  database: Connection;
  /** One per copy. */
  trackings: GrpcClient<typeof TrackingServiceService>[];
  /** Ends everything and removes what it made; answers with the processes' exit codes. */
  stop(): Promise<(number | null)[]>;
};

export type SystemOptions = {
  /** For one copy; each may ask the stores on an address of its own. */
  settings(): Promise<Record<string, string>>;
  seed(connection: Connection): Promise<void>;
  logger: Logger;
};

/** A system with the gateway before it. */
export type WholeSystem = SystemUnderTest & { url: string; key: string | null };

/** `npm start` on a data folder of its own. */
export async function startOnDataFolder({ settings, seed, logger }: SystemOptions): Promise<WholeSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-daily-run-'));
  const closing = createClosing();
  closing.add(() => rmSync(dataDir, { recursive: true, force: true }));
  try {
    const engine = await startEngine({ dataDir });
    const connection = await connectMongo({ uri: engine.mongodbUri, database: trackingDatabase, logger });
    await seed(connection);
    await connection.close();
    await engine.stop();

    const system = await startSystemProcess({
      SHELFWISE_DATA_DIR: dataDir,
      STORE_SOURCE: 'live',
      ...(await settings()),
    });
    closing.add(() => system.end('SIGINT'));
    const database = await openEmbeddedDatabase(dataDir, trackingDatabase);
    closing.add(() => database.close());
    const holder = await fetchProcessState(controlSocketPath(dataDir));
    const trackings = [clientOf(holder?.tracking ?? '', closing)];
    return { database, trackings, url: system.url, key: system.key, stop: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Copies of store-fetch and tracking, a pair each, on one MongoDB-compatible server that holds no Shelfwise yet. */
export async function startCopies(
  copies: number,
  uri: string,
  { settings, seed, logger }: SystemOptions,
): Promise<SystemUnderTest> {
  const closing = createClosing();
  try {
    const database = await openEmpty(uri, trackingDatabase, closing, logger);
    await openEmpty(uri, storeFetchDatabase, closing, logger);
    await seed(database);
    const shared = { MONGODB_URI: uri, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'warn' };
    const trackings: SystemUnderTest['trackings'] = [];
    for (let copy = 0; copy < copies; copy++) {
      const own = { ...shared, ...(await settings()) };
      const storeFetch = await startServiceProcess('services/store-fetch/src/main.ts', {
        STORE_SOURCE: 'live',
        ...own,
      });
      closing.add(() => storeFetch.end());
      const tracking = await startServiceProcess('services/tracking/src/main.ts', {
        STORE_FETCH_ADDRESS: storeFetch.address,
        ...own,
      });
      closing.add(() => tracking.end());
      if (!tracking.address) throw new Error(`a copy did not start:\n${storeFetch.line}${tracking.line}`);
      trackings.push(clientOf(tracking.address, closing));
    }
    return { database, trackings, stop: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** @throws Error when the database holds anything, which might be somebody's */
async function openEmpty(
  uri: string,
  database: string,
  closing: Closing,
  logger: Logger,
): Promise<Connection> {
  const connection = await connectMongo({ uri, database, logger });
  closing.add(() => connection.close());
  const collections = (await connection.db?.listCollections().toArray()) ?? [];
  if (collections.length > 0)
    throw new Error(`The database ${database} on that server is not empty. Give a server of its own.`);
  closing.add(() => connection.dropDatabase());
  return connection;
}

function clientOf(address: string, closing: Closing): SystemUnderTest['trackings'][number] {
  const { client, close } = createGrpcClient({ service: TrackingServiceService, name: 'tracking', address });
  closing.add(close);
  return client;
}

type Closing = ReturnType<typeof createClosing>;

/** What must be let go of at the end, the last one first. */
function createClosing() {
  const open: (() => unknown)[] = [];
  return {
    add: (close: () => unknown) => void open.push(close),
    async close(): Promise<(number | null)[]> {
      const codes: (number | null)[] = [];
      for (const close of open.splice(0).reverse()) {
        const result = await close();
        if (typeof result === 'number' || result === null) codes.push(result);
      }
      return codes;
    },
  };
}
