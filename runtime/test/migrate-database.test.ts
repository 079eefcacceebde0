import { type Connection, Schema } from 'mongoose';
import { createLease } from '../src/mongo/lease.ts';
import type { Migration } from '../src/mongo/schema/database-schema.ts';
import { migrateDatabase } from '../src/mongo/schema/migrate-database.ts';
import { prepareDatabase } from '../src/mongo/schema/prepare-database.ts';
import { useDatabases } from './lib/use-databases.ts';

const { connectCopy, createDatabase: createEmptyDatabase } = useDatabases('migrate');

/** A database of the first schema with some rows. */
async function createDatabase() {
  const connection = await createEmptyDatabase();
  await prepareDatabase(connection);
  const numbers = [1, 2, 3, 4];
  await connection
    .collection('rows')
    .insertMany(numbers.map((number) => ({ number, word: `w${number % 2}` })));
  return connection;
}

const doubled: Migration = {
  id: '2026-12-01-double',
  async run(connection) {
    const rows = connection.collection('rows');
    for (const { _id, number } of await rows.find({ doubled: null }).toArray())
      await rows.updateOne({ _id }, { $set: { doubled: 2 * number } });
  },
};

/** One row of each word stays, which a unique index of a later version needs. */
const distinct: Migration = {
  id: '2026-12-02-distinct-words',
  async run(connection) {
    await connection.collection('rows').deleteMany({ number: { $gt: 2 } });
  },
};

const applied = async (connection: Connection) =>
  (await connection.collection('migrations').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

test('migrations run in their order, once, and unique indexes are created after them', async () => {
  const connection = await createDatabase();
  const unique = new Schema({ word: { type: String, unique: true } }, { versionKey: false });
  connection.model('Row', unique, 'rows');
  const steps: string[] = [];
  const migrations = [doubled, distinct];
  await migrateDatabase(connection, { migrations }, { onProgress: (step) => steps.push(step) });
  expect(steps).toEqual([
    'applying 2026-12-01-double',
    'applying 2026-12-02-distinct-words',
    'creating indexes: rows (word; unique)',
  ]);
  const rows = await connection.collection('rows').find().sort({ number: 1 }).toArray();
  expect(rows).toMatchObject([
    { number: 1, doubled: 2 },
    { number: 2, doubled: 4 },
  ]);
  expect(await applied(connection)).toEqual(migrations.map(({ id }) => id));
  await connection.collection('rows').insertOne({ number: 9, word: 'w9' });
  expect(await migrateDatabase(connection, { migrations })).toEqual({ pending: [], missingIndexes: [] });
  expect(await connection.collection('rows').countDocuments()).toBe(3);
});

test('a migration that fails stays pending, later ones wait, and the next call continues with it', async () => {
  const connection = await createDatabase();
  let isBroken = true;
  const halfDone: Migration = {
    id: '2026-12-01-half',
    async run(db, signal) {
      await db.collection('rows').updateOne({ number: 1 }, { $set: { seen: true } });
      if (isBroken) throw new Error('the process died');
      await doubled.run(db, signal);
    },
  };
  const migrations = [halfDone, distinct];
  await expect(migrateDatabase(connection, { migrations })).rejects.toThrow('the process died');
  expect(await applied(connection)).toEqual([]);
  expect(await connection.collection('rows').countDocuments()).toBe(4);
  isBroken = false;
  await migrateDatabase(connection, { migrations });
  expect(await applied(connection)).toEqual([halfDone.id, distinct.id]);
});

test('of several processes at the same time one migrates, and the others wait for it', async () => {
  const connection = await createDatabase();
  const copies = [connection, await connectCopy(connection.name), await connectCopy(connection.name)];
  let running = 0;
  const runs: number[] = [];
  const slow: Migration = {
    id: '2026-12-01-slow',
    async run(db) {
      running += 1;
      runs.push(running);
      await db.collection('rows').updateMany({}, { $inc: { times: 1 } });
      running -= 1;
    },
  };
  await Promise.all(copies.map((copy) => migrateDatabase(copy, { migrations: [slow] })));
  expect(runs).toEqual([1]);
  expect(await connection.collection('rows').distinct('times')).toEqual([1]);
  expect(await connection.collection('held_leases').findOne({})).toMatchObject({ holder: null });
});

test('a new database that another process prepares between two looks is not taken for an older one', async () => {
  const connection = await createEmptyDatabase();
  const other = await connectCopy(connection.name);
  other.model('Row', new Schema({ word: { type: String, index: true } }), 'rows');
  const listCollections = connection.listCollections.bind(connection);
  connection.listCollections = async () => {
    await prepareDatabase(other);
    return listCollections();
  };
  await expect(prepareDatabase(connection)).resolves.toBeUndefined();
});

/** A process that holds the lease of migrations. */
async function holdLease(connection: Connection): Promise<void> {
  const copy = await connectCopy(connection.name);
  const other = createLease({ connection: copy, name: 'migration', leaseMs: 30_000 });
  expect(await other.hold()).toBe(true);
}

test('a process that died during a migration is replaced when it has not renewed its lease for 30 s', async () => {
  const connection = await createDatabase();
  await holdLease(connection);
  let elapsedMs = 0;
  const steps: string[] = [];
  const monotonicMs = () => {
    elapsedMs += 10_000;
    return elapsedMs;
  };
  const onProgress = (step: string) => steps.push(step);
  await migrateDatabase(connection, { migrations: [doubled] }, { monotonicMs, onProgress });
  expect(steps).toEqual([
    'waiting for another process that migrates this database',
    'applying 2026-12-01-double',
  ]);
  expect(await applied(connection)).toEqual([doubled.id]);
});

test('while another process holds the lease a migration waits and ends with its signal', async () => {
  const connection = await createDatabase();
  await holdLease(connection);
  const stopping = new AbortController();
  const waiting = migrateDatabase(
    connection,
    { migrations: [doubled] },
    { signal: stopping.signal, onProgress: () => stopping.abort() },
  );
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(await applied(connection)).toEqual([]);
});

test('a service that does not migrate refuses a database with pending migrations or indexes, and changes nothing', async () => {
  const connection = await createDatabase();
  connection.model('Row', new Schema({ word: String }, { versionKey: false }).index({ word: 1 }), 'rows');
  await expect(prepareDatabase(connection, { migrations: [doubled] }, 'require')).rejects.toMatchObject({
    name: 'StartError',
    message: `The database ${connection.name} lacks 2026-12-01-double, rows (word). Run "npm run migrate" with the same MONGODB_URI and MONGODB_PREFIX, then start again.`,
  });
  expect(await connection.collection('rows').indexes()).toHaveLength(1);
  await prepareDatabase(connection, { migrations: [doubled] });
  await prepareDatabase(connection, { migrations: [doubled] }, 'require');
});

test('migrations without a date or in another order are a mistake that every start reports', async () => {
  const connection = await createDatabase();
  await expect(migrateDatabase(connection, { migrations: [distinct, doubled] })).rejects.toThrow(
    /must come before/,
  );
  const undated = { ...doubled, id: 'double' };
  await expect(migrateDatabase(connection, { migrations: [undated] })).rejects.toThrow(/needs a date/);
});

test('two rows that a unique index refuses are reported with the collection', async () => {
  const connection = await createDatabase();
  connection.model('Row', new Schema({ word: { type: String, unique: true } }), 'rows');
  await expect(migrateDatabase(connection, { migrations: [] })).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      new RegExp(`^A unique index of ${connection.name}.rows cannot be created: `),
    ),
  });
});
