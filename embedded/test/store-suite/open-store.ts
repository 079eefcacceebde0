import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { type RunningEngine, startEngine } from '../../src/start-engine.ts';

export type Store = {
  /** The suite runs on the embedded database; false on the server that MONGODB_URI names. */
  isEmbedded: boolean;
  connection: Connection;
  /** Closes the store and opens it again, as after a restart; on a server: the connection. */
  reopen(): Promise<void>;
};

/** A database of the test file's own, with a name of its own; it is dropped after the last test. */
export function openStore(): Store {
  const uri = process.env.MONGODB_URI;
  const dbName = `suite_${randomBytes(6).toString('hex')}`;
  const dataDir = uri ? undefined : mkdtempSync(join(tmpdir(), 'store-suite-'));
  let engine: RunningEngine | undefined;

  async function open(): Promise<Connection> {
    if (dataDir) engine = await startEngine({ dataDir });
    return mongoose
      .createConnection(engine?.mongodbUri ?? uri ?? '', { dbName, serverSelectionTimeoutMS: 5000 })
      .asPromise();
  }

  async function close(): Promise<void> {
    await store.connection.close();
    await engine?.stop();
  }

  const store = {
    isEmbedded: uri === undefined,
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
