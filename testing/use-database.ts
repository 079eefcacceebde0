import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/database-schema';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { provenanceCollection } from '@shelfwise/runtime/mongo/provenance-store';
import { firstSchema, migrationCollection } from '@shelfwise/runtime/mongo/schema-status';
import type { Connection } from 'mongoose';
import { monitored } from './record-commands.ts';
import { startDatabaseServer } from './start-database-server.ts';

export type TestDatabase = { name: string; connection: Connection };

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

/**
 * A database with this schema for the tests of one file: call it at the top. To connect, compile the models and create
 * the indexes costs more than most tests, so that all tests of the file share one, which is empty when a test starts.
 * `take` gives it to the first that asks for it in a test and another, which is dropped after the test, to each other.
 * A test that closes the connection or changes the schema takes one of its own (`own`).
 */
export function useDatabase(schema: DatabaseSchema) {
  const closing: (() => Promise<unknown>)[] = [];
  let server: Awaited<ReturnType<typeof startDatabaseServer>>;
  let shared: TestDatabase;
  let isTaken = false;
  let isUsed = false;

  async function connect(name: string): Promise<TestDatabase> {
    const connection = await connectMongo({ uri: monitored(server.uri), database: name, logger });
    compileModelsOnce(connection);
    return { name, connection };
  }
  async function create(): Promise<TestDatabase> {
    const database = await connect(`${schema.database}_${randomUUID().slice(0, 18)}`);
    schema.createModels(database.connection);
    await prepareDatabase(database.connection, schema);
    return database;
  }
  beforeAll(async () => {
    server = await startDatabaseServer();
    shared = await create();
  });
  beforeEach(async () => {
    // A test may have closed it; otherwise this has no effect.
    await shared.connection.getClient().connect();
    if (isUsed) await empty(shared.connection);
    isTaken = false;
    isUsed = false;
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await drop(shared);
    await server.stop();
  });

  async function own(): Promise<TestDatabase> {
    const database = await create();
    closing.push(() => drop(database));
    return database;
  }
  return {
    uri: () => server.uri,
    own,
    /** Another connection to a database that the test has taken, for a second copy of a service. */
    async join(name: string): Promise<TestDatabase> {
      const database = await connect(name);
      closing.push(() => database.connection.close());
      return database;
    },
    async take(): Promise<TestDatabase> {
      if (isTaken) return own();
      isTaken = true;
      isUsed = true;
      return shared;
    },
  };
}

/** A model that a store asks for again is the one that exists: mongoose compiles it anew for a named collection. */
function compileModelsOnce(connection: Connection): void {
  const compile = connection.model.bind(connection) as (...args: unknown[]) => unknown;
  connection.model = ((name: string, ...others: unknown[]) =>
    connection.models[name] ?? compile(name, ...others)) as typeof connection.model;
}

/** Removes all rows but those that say that the schema is complete. */
async function empty(connection: Connection): Promise<void> {
  const collections = await connection.listCollections();
  const names = collections.map(({ name }) => name).filter((name) => name !== migrationCollection);
  await Promise.all(
    names.map((name) => {
      const filter = name === provenanceCollection ? { _id: { $ne: firstSchema.fact as never } } : {};
      return connection.collection(name).deleteMany(filter);
    }),
  );
}

async function drop({ connection }: TestDatabase): Promise<void> {
  await connection.getClient().connect();
  await connection.dropDatabase();
  await connection.close();
}
