import { type Connection, Schema } from 'mongoose';
import { prepareDatabase } from '../src/mongo/schema/prepare-database.ts';
import { createProvenanceStore } from '../src/mongo/schema/provenance-store.ts';
import { refuseOtherSchema } from '../src/mongo/schema/schema-status.ts';
import { useDatabases } from './lib/use-databases.ts';

const { connectCopy, createDatabase } = useDatabases('prepare', (connection) => {
  const schema = new Schema({ number: { type: Number, unique: true } }, { versionKey: false });
  connection.model('Row', schema, 'rows');
});

/** The stored version of the data's layout; null when none is stored. */
const layoutOf = (connection: Connection) => createProvenanceStore(connection).find('layout');

const refusal = ({ name }: Connection) => ({
  name: 'StartError',
  message:
    `The database ${name} was made by a version of Shelfwise that this one cannot migrate: delete the data folder ` +
    '(SHELFWISE_DATA_DIR) or, if the database is on the server of MONGODB_URI, use a server without it or another MONGODB_PREFIX, and start again.',
});

test('a new database gets the layout version and the indexes of every model', async () => {
  const connection = await createDatabase();
  await prepareDatabase(connection);
  expect(await layoutOf(connection)).toMatch(/^\d+$/);
  const indexes = await connection.collection('rows').indexes();
  expect(indexes.map(({ key }) => key)).toContainEqual({ number: 1 });
});

test('a database with the current layout version is accepted and keeps its rows', async () => {
  const connection = await createDatabase();
  await prepareDatabase(connection);
  await connection.collection('rows').insertOne({ number: 7 });
  const next = await connectCopy(connection.name);
  await prepareDatabase(next);
  expect(await next.collection('rows').countDocuments()).toBe(1);
});

test('a database with data but no layout version is refused unchanged, and the error says what to do', async () => {
  const connection = await createDatabase();
  await connection.collection('rows').insertOne({ number: 7 });
  await expect(prepareDatabase(connection)).rejects.toMatchObject(refusal(connection));
  expect(await layoutOf(connection)).toBeNull();
  expect(await connection.collection('rows').indexes()).toHaveLength(1);
});

test('a database with another layout version is refused with the same error and keeps that version', async () => {
  const connection = await createDatabase();
  await createProvenanceStore(connection).setIfAbsent('layout', 'older');
  await expect(prepareDatabase(connection)).rejects.toMatchObject(refusal(connection));
  expect(await layoutOf(connection)).toBe('older');
});

test('a check of the layout accepts new and current databases, refuses others, and writes nothing', async () => {
  const fresh = await createDatabase();
  await refuseOtherSchema(fresh, { migrations: [] });
  expect(await fresh.listCollections()).toEqual([]);
  await prepareDatabase(fresh);
  await refuseOtherSchema(fresh, { migrations: [] });
  const connection = await createDatabase();
  await connection.collection('rows').insertOne({ number: 7 });
  await expect(refuseOtherSchema(connection, { migrations: [] })).rejects.toMatchObject(refusal(connection));
  expect((await connection.listCollections()).map(({ name }) => name)).toEqual(['rows']);
});

test('several copies can prepare a new database at the same time', async () => {
  const connection = await createDatabase();
  const copies = [connection, ...(await Promise.all([1, 2, 3].map(() => connectCopy(connection.name))))];
  await Promise.all(copies.map((copy) => prepareDatabase(copy)));
  const layouts = await Promise.all(copies.map(layoutOf));
  expect(new Set(layouts).size).toBe(1);
  expect(layouts[0]).not.toBeNull();
});

test('a database is new while another copy has created the provenance collection but not written the layout', async () => {
  const connection = await createDatabase();
  await connection.createCollection('provenance');
  await prepareDatabase(connection);
  expect(await layoutOf(connection)).toMatch(/^\d+$/);
});
