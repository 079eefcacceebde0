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
import { type DatabaseServer, shareDatabaseServer } from './start-database-server.ts';
import { createUntilQuiet } from './until-quiet.ts';

export type TestDatabase = {
  name: string;
  connection: Connection;
  /** See `createUntilQuiet`. */
  untilQuiet: () => Promise<void>;
};

/** A database with the indexes of its schema and compiled models, which one file of tests has at a time. */
export type PooledDatabase = TestDatabase & {
  server: DatabaseServer;
  /** Another connection to it. */
  join(): Promise<TestDatabase>;
  /** Removes all rows but those that say that the schema is complete. */
  clear(): Promise<void>;
  /** For the next file. */
  release(): Promise<void>;
};

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

/** By schema. A file that has its own schema leaves nothing here that outlives it. */
const released = new WeakMap<DatabaseSchema, PooledDatabase[]>();

/**
 * A database with this schema, empty: one that an earlier file of this process has released, or a new one. To connect,
 * compile the models and create the indexes costs more than most tests.
 */
export async function takeDatabase(schema: DatabaseSchema): Promise<PooledDatabase> {
  const pooled = released.get(schema)?.pop() ?? (await createPooled(schema));
  await pooled.connection.getClient().connect();
  await pooled.clear();
  return pooled;
}

async function createPooled(schema: DatabaseSchema): Promise<PooledDatabase> {
  const server = await shareDatabaseServer();
  const changes = { written: new Set<string>(), isSchemaChanged: false };
  const join = async () => {
    const joined = await connectDatabase(server, database.name);
    watchChanges(joined.connection, changes);
    return joined;
  };
  const database = await createDatabase(server, schema);
  const { connection } = database;
  rememberIndexes(connection);
  watchChanges(connection, changes);
  const ownListeners = listenersOf(connection);
  const pooled: PooledDatabase = {
    ...database,
    server,
    join,
    async clear() {
      const names = [...changes.written];
      changes.written.clear();
      await empty(connection, names);
    },
    async release() {
      if (!server.inProcess || changes.isSchemaChanged || changes.written.has(migrationCollection)) {
        await dropDatabase(database);
        await server.stop();
        return;
      }
      restoreListeners(connection, ownListeners);
      // Its sockets would keep the process from ending.
      await connection.getClient().close();
      const others = released.get(schema) ?? [];
      released.set(schema, [...others, pooled]);
    },
  };
  return pooled;
}

/** A new database, which is for its caller to drop. */
export async function createDatabase(server: DatabaseServer, schema: DatabaseSchema): Promise<TestDatabase> {
  const database = await connectDatabase(server, `${schema.database}_${randomUUID().slice(0, 18)}`);
  schema.createModels(database.connection);
  await prepareDatabase(database.connection, schema);
  return database;
}

export async function connectDatabase(server: DatabaseServer, name: string): Promise<TestDatabase> {
  const connection = await connectMongo({
    uri: monitored(server.uri),
    database: name,
    logger,
    inProcess: server.inProcess,
  });
  compileModelsOnce(connection);
  return { name, connection, untilQuiet: createUntilQuiet(connection) };
}

/** Also when a test has closed it. */
export async function dropDatabase({ connection }: TestDatabase): Promise<void> {
  await connection.getClient().connect();
  await connection.dropDatabase();
  await connection.close();
}

/** By the connection that they share. */
const views = new WeakMap<Connection, Map<number, Connection>>();

/** The n-th other view of a database, with models of its own, which are compiled once. */
export function viewOf(database: TestDatabase, schema: DatabaseSchema, n: number): Connection {
  const known = views.get(database.connection) ?? new Map<number, Connection>();
  views.set(database.connection, known);
  const view = known.get(n) ?? createView(database, schema);
  known.set(n, view);
  return view;
}

function createView({ name, connection }: TestDatabase, schema: DatabaseSchema): Connection {
  const view = connection.useDb(name);
  view.plugin(findInOneBatch);
  compileModelsOnce(view);
  schema.createModels(view);
  rememberIndexes(view);
  return view;
}

/** A model that a store asks for again is the one that exists: mongoose compiles it anew for a named collection. */
function compileModelsOnce(connection: Connection): void {
  const compile = connection.model.bind(connection) as (...args: unknown[]) => unknown;
  connection.model = ((name: string, ...others: unknown[]) =>
    connection.models[name] ?? compile(name, ...others)) as typeof connection.model;
}

/** The schema of a pooled database does not change, so that each start of a service would read the same indexes. */
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
/** After them the database is not for another file. */
const schemaCommands = new Set(['createIndexes', 'dropIndexes', 'drop', 'dropDatabase']);

/** Notes the commands of this connection, which is monitored: the collections that it writes to, and changes of the schema. */
function watchChanges(
  connection: Connection,
  changes: { written: Set<string>; isSchemaChanged: boolean },
): void {
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (writingCommands.has(commandName)) changes.written.add(command[commandName]);
    if (schemaCommands.has(commandName)) changes.isSchemaChanged = true;
  });
}

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

type Emitter = Pick<NodeJS.EventEmitter, 'eventNames' | 'rawListeners' | 'off'>;
type Listener = (...args: unknown[]) => void;

const emittersOf = (connection: Connection): Emitter[] => [
  connection as unknown as Emitter,
  connection.getClient() as unknown as Emitter,
];

function listenersOf(connection: Connection): Set<unknown> {
  return new Set(
    emittersOf(connection).flatMap((emitter) =>
      emitter.eventNames().flatMap((name) => emitter.rawListeners(name)),
    ),
  );
}

/** Removes what the tests of a file have added. */
function restoreListeners(connection: Connection, own: ReadonlySet<unknown>): void {
  for (const emitter of emittersOf(connection))
    for (const name of emitter.eventNames())
      for (const listener of emitter.rawListeners(name))
        if (!own.has(listener)) emitter.off(name, listener as Listener);
}
