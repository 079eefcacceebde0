import { randomUUID } from 'node:crypto';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { findInOneBatch } from '@shelfwise/runtime/mongo/read/find-in-one-batch';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import { provenanceCollection } from '@shelfwise/runtime/mongo/schema/provenance-store';
import { firstSchema, migrationCollection } from '@shelfwise/runtime/mongo/schema/schema-status';
import type { Connection } from 'mongoose';
import { monitored } from './record-commands.ts';
import { startDatabaseServer } from './start-database-server.ts';
import { createUntilQuiet } from './until-quiet.ts';

export type TestDatabase = {
  name: string;
  connection: Connection;
  /** See `createUntilQuiet`. */
  untilQuiet: () => Promise<void>;
};

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

/**
 * A database with this schema for the tests of one file: call it at the top. To connect, compile the models and create
 * the indexes costs more than most tests, so that all tests of the file share one, which is empty when a test starts.
 * `take` gives it to the first that asks for it in a test and another, which is dropped after the test, to each other.
 * A test that closes the connection or changes the schema takes one of its own (`own`).
 */
export function useDatabase(schema: DatabaseSchema) {
  const closing: (() => Promise<unknown>)[] = [];
  /** The collections that were written to since the file's database was empty. */
  const written = new Set<string>();
  const views = new Map<string, Connection>();
  let server: Awaited<ReturnType<typeof startDatabaseServer>>;
  let shared: TestDatabase;
  /** The connections of the copies that run. */
  const inUse = new Set<Connection>();
  let isTaken = false;
  let isKept = false;
  /** The database that the last copy without an earlier one has taken. */
  let ofCopies: TestDatabase;

  async function connect(name: string): Promise<TestDatabase> {
    const connection = await connectMongo({
      uri: monitored(server.uri),
      database: name,
      logger,
      inProcess: server.inProcess,
    });
    compileModelsOnce(connection);
    watchWrites(connection, written);
    return { name, connection, untilQuiet: createUntilQuiet(connection) };
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
    rememberIndexes(shared.connection);
    written.clear();
  });
  beforeEach(async () => {
    // A test may have closed it; otherwise this has no effect.
    await shared.connection.getClient().connect();
    if (!isKept) await clear();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await drop(shared);
    await server.stop();
  });

  async function clear(): Promise<void> {
    const names = [...written];
    written.clear();
    await empty(shared.connection, names);
    isTaken = false;
  }
  async function own(): Promise<TestDatabase> {
    const database = await create();
    closing.push(() => drop(database));
    return database;
  }
  async function take(): Promise<TestDatabase> {
    if (isTaken) return own();
    isTaken = true;
    return shared;
  }
  /** Another connection to a database that the test has taken, for a second copy of a service. */
  async function join(name: string): Promise<TestDatabase> {
    const database = await connect(name);
    closing.push(() => database.connection.close());
    return database;
  }
  /** The n-th other view of a taken database, with models of its own, which are compiled once a file. */
  function view({ name, connection }: TestDatabase, n: number): Connection {
    const key = `${name} ${n}`;
    const view = views.get(key) ?? connection.useDb(name);
    if (!views.has(key)) {
      view.plugin(findInOneBatch);
      compileModelsOnce(view);
      schema.createModels(view);
      rememberIndexes(view);
    }
    views.set(key, view);
    return view;
  }
  async function connectCopy(name?: string, hasOwnConnection = false): Promise<TestDatabase> {
    if (name === undefined) {
      ofCopies = await take();
      return ofCopies;
    }
    if (hasOwnConnection || name !== ofCopies.name) return join(name);
    let { connection } = ofCopies;
    for (let copy = 1; inUse.has(connection); copy++) connection = view(ofCopies, copy);
    return { ...ofCopies, connection };
  }
  return {
    uri: () => server.uri,
    own,
    take,
    join,
    view,
    /**
     * For a copy of a service: takes a database, or shares the connection to that of an earlier copy, by its name, unless it
     * shall lose its own. `end` is to be called when the copy has stopped.
     */
    async startCopy(options: { database?: string; hasOwnConnection?: boolean }) {
      const { name, connection } = await connectCopy(options.database, options.hasOwnConnection);
      inUse.add(connection);
      return { name, connection, end: () => void inUse.delete(connection) };
    },
    /** Empties the file's database within a test, where the next case of a property takes it again. */
    clear,
    /** Empties the file's database, which from now on keeps its rows between tests. */
    async keep(): Promise<void> {
      await clear();
      isKept = true;
    },
    release() {
      isKept = false;
    },
  };
}

/** A model that a store asks for again is the one that exists: mongoose compiles it anew for a named collection. */
function compileModelsOnce(connection: Connection): void {
  const compile = connection.model.bind(connection) as (...args: unknown[]) => unknown;
  connection.model = ((name: string, ...others: unknown[]) =>
    connection.models[name] ?? compile(name, ...others)) as typeof connection.model;
}

/** The schema of the file's database does not change, so that each start of a service would read the same indexes. */
function rememberIndexes(connection: Connection): void {
  for (const name of new Set(Object.values(connection.models).map(({ collection }) => collection.name))) {
    const collection = connection.collection(name);
    const read = collection.indexes.bind(collection) as () => Promise<unknown>;
    let indexes: Promise<unknown> | undefined;
    collection.indexes = (() => (indexes ??= read())) as typeof collection.indexes;
  }
}

/** The commands that add documents. */
const writingCommands = new Set(['insert', 'update', 'findAndModify']);

/** Adds the name of each collection to `written` when a command of this connection, which is monitored, writes to it. */
function watchWrites(connection: Connection, written: Set<string>): void {
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (writingCommands.has(commandName)) written.add(command[commandName]);
  });
}

/** Removes all rows of these collections but those that say that the schema is complete. */
async function empty(connection: Connection, collections: readonly string[]): Promise<void> {
  await Promise.all(
    collections
      .filter((name) => name !== migrationCollection)
      .map((name) => {
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
