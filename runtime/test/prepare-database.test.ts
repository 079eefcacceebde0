import { randomUUID } from 'node:crypto';
import { type Connection, Schema } from 'mongoose';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { connectMongo } from '../src/mongo/connect-mongo.ts';
import { prepareDatabase } from '../src/mongo/prepare-database.ts';
import { createProvenanceStore } from '../src/mongo/provenance-store.ts';
import { createRecordingLogger } from './recording-logger.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const databaseUri = useDatabaseServer();

/** A connection with one model, as in one copy of a service. */
async function connectCopy(database: string): Promise<Connection> {
  const { logger } = createRecordingLogger();
  const connection = await connectMongo({ uri: databaseUri(), database, logger });
  closing.push(() => connection.close());
  const schema = new Schema({ number: { type: Number, unique: true } }, { versionKey: false });
  connection.model('Row', schema, 'rows');
  return connection;
}

async function createDatabase() {
  const database = `prepare_${randomUUID().slice(0, 18)}`;
  const connection = await connectCopy(database);
  closing.push(() => connection.dropDatabase());
  return { database, connection };
}

const layoutOf = (connection: Connection) => createProvenanceStore(connection).find('layout');

const refusal = (database: string) => ({
  name: 'StartError',
  message:
    `The database ${database} was made by another version of Shelfwise: delete the data folder ` +
    '(SHELFWISE_DATA_DIR), or set MONGODB_URI to a server without it, and start again.',
});

test('a fresh database gets its layout and the indexes of every model', async () => {
  const { connection } = await createDatabase();
  await prepareDatabase(connection);
  expect(await layoutOf(connection)).toMatch(/^\d+$/);
  const indexes = await connection.collection('rows').indexes();
  expect(indexes.map(({ key }) => key)).toContainEqual({ number: 1 });
});

test('a database with the current layout opens again and keeps its rows', async () => {
  const { database, connection } = await createDatabase();
  await prepareDatabase(connection);
  await connection.collection('rows').insertOne({ number: 7 });
  const next = await connectCopy(database);
  await prepareDatabase(next);
  expect(await next.collection('rows').countDocuments()).toBe(1);
});

test('a database without a layout is refused with a sentence that says what to do', async () => {
  const { database, connection } = await createDatabase();
  await connection.collection('rows').insertOne({ number: 7 });
  await expect(prepareDatabase(connection)).rejects.toMatchObject(refusal(database));
  expect(await layoutOf(connection)).toBeNull();
  expect(await connection.collection('rows').indexes()).toHaveLength(1);
});

test('a database with another layout is refused with the same sentence', async () => {
  const { database, connection } = await createDatabase();
  await createProvenanceStore(connection).setIfAbsent('layout', 'older');
  await expect(prepareDatabase(connection)).rejects.toMatchObject(refusal(database));
  expect(await layoutOf(connection)).toBe('older');
});

test('copies that start at once on a fresh database all start', async () => {
  const { database, connection } = await createDatabase();
  const copies = [connection, ...(await Promise.all([1, 2, 3].map(() => connectCopy(database))))];
  await Promise.all(copies.map((copy) => prepareDatabase(copy)));
  const layouts = await Promise.all(copies.map(layoutOf));
  expect(new Set(layouts).size).toBe(1);
  expect(layouts[0]).not.toBeNull();
});

test('a copy starts when another copy has created the first collection but not yet written the layout', async () => {
  const { connection } = await createDatabase();
  await connection.createCollection('provenance');
  await prepareDatabase(connection);
  expect(await layoutOf(connection)).toMatch(/^\d+$/);
});
