import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { embeddedWorker } from '../../../testing/system/embedded-worker.ts';
import { connectDirectly } from '../../src/direct/connect-directly.ts';
import { startEmbedded } from '../../src/start-embedded.ts';
import { type RunningEngine, startEngine } from '../../src/start-engine.ts';
import { createModels, type Models } from './models.ts';

export type Store = {
  /** True on the embedded database, false on the server of MONGODB_URI. */
  isEmbedded: boolean;
  /** Set from the first test on. `reopen` replaces it. */
  connection: Connection;
  /** On the connection, also after `reopen`. */
  models: Models;
  /** Restarts the embedded database on the same data. On a server, it only reconnects. */
  reopen(): Promise<void>;
};

/** How the tests reach an embedded engine: as another process, as its thread, or as its parent thread. */
export type Way = 'socket' | 'direct' | 'thread';

/**
 * Opens a new database before the tests of a file and drops it after them. Call it at the top of the suite. The
 * database is on the server of MONGODB_URI if set, else in an embedded engine of its own.
 */
export function openStore(way: Way): Store {
  const uri = process.env.MONGODB_URI;
  const dbName = `suite_${randomBytes(6).toString('hex')}`;
  const dataDir = uri ? undefined : mkdtempSync(join(tmpdir(), 'store-suite-'));
  let engine: RunningEngine | undefined;

  async function open(): Promise<Connection> {
    if (dataDir) engine = await (way === 'thread' ? startThread(dataDir) : startEngine({ dataDir }));
    const direct = engine && way !== 'socket' ? connectDirectly(engine.link) : undefined;
    const connection = mongoose.createConnection(engine?.mongodbUri ?? uri ?? '', {
      ...direct?.options,
      dbName,
      serverSelectionTimeoutMS: 5000,
    });
    direct?.adopt(connection);
    await connection.asPromise();
    Object.assign(store.models, await createModels(connection));
    return connection;
  }

  async function close(): Promise<void> {
    await store.connection.close();
    await engine?.stop();
  }

  const store = {
    isEmbedded: uri === undefined,
    models: {},
    reopen: async () => {
      await close();
      store.connection = await open();
    },
  } as Store;

  beforeAll(async () => {
    store.connection = await open();
  });
  afterAll(async () => {
    await store.connection.dropDatabase();
    await close();
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  });
  return store;
}

function startThread(dataDir: string): Promise<RunningEngine> {
  return startEmbedded({
    dataDir,
    worker: embeddedWorker(),
    onFailure: (error) => {
      throw error;
    },
  });
}
