import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import type { Connection } from 'mongoose';
import {
  connectDatabase,
  createDatabase,
  dropDatabase,
  type PooledDatabase,
  type TestDatabase,
  takeDatabase,
  viewOf,
} from './database-pool.ts';

export type { TestDatabase } from './database-pool.ts';

/**
 * A database with this schema for the tests of one file: call it at the top. To connect, compile the models and create
 * the indexes costs more than most tests, so that all tests of the file share one, which is empty when a test starts.
 * `take` gives it to the first that asks for it in a test and another, which is dropped after the test, to each other.
 * A test that closes the connection or changes the schema takes one of its own (`own`).
 */
export function useDatabase(schema: DatabaseSchema) {
  const closing: (() => Promise<unknown>)[] = [];
  let shared: PooledDatabase;
  /** The connections of the copies that run. */
  const inUse = new Set<Connection>();
  let isTaken = false;
  let isKept = false;
  /** The database that the last copy without an earlier one has taken. */
  let ofCopies: TestDatabase;

  beforeAll(async () => {
    shared = await takeDatabase(schema);
  });
  beforeEach(async () => {
    // A test may have closed it; otherwise this has no effect.
    await shared.connection.getClient().connect();
    if (!isKept) await clear();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(() => shared.release());

  async function clear(): Promise<void> {
    await shared.clear();
    isTaken = false;
  }
  async function own(): Promise<TestDatabase> {
    const database = await createDatabase(shared.server, schema);
    closing.push(() => dropDatabase(database));
    return database;
  }
  async function take(): Promise<TestDatabase> {
    if (isTaken) return own();
    isTaken = true;
    return shared;
  }
  /** Another connection to a database that the test has taken, for a second copy of a service. */
  async function join(name: string): Promise<TestDatabase> {
    const isShared = name === shared.name;
    const database = await (isShared ? shared.join() : connectDatabase(shared.server, name));
    closing.push(() => database.connection.close());
    return database;
  }
  /** The n-th other view of a taken database, with models of its own. */
  function view(database: TestDatabase, n: number): Connection {
    return viewOf(database, schema, n);
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
    uri: () => shared.server.uri,
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
