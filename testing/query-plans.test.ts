import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, Schema } from 'mongoose';
import { describeScans, explainQueries } from './query-plans/explain-queries.ts';
import { type Query, queriesOf, shapeOf } from './query-plans/query-shapes.ts';
import { watchQueries } from './query-plans/watch-queries.ts';
import { useDatabaseServer } from './use-database-server.ts';

const watched = { queries: new Map<string, Query>() };
const stopWatching = watchQueries((query) => watched.queries.set(shapeOf(query), query));
afterAll(stopWatching);
const databaseUri = useDatabaseServer();
let connection: Connection;
const schema = new Schema({ owner: String, at: Number, other: Number }).index({ owner: 1, at: 1 });

beforeEach(async () => {
  watched.queries.clear();
  const dbName = `watch_${randomUUID().slice(0, 8)}`;
  connection = await mongoose.createConnection(databaseUri(), { dbName, autoIndex: false }).asPromise();
  await connection.model('Row', schema, 'rows').createIndexes();
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** Code that is in no file of tests, as far as the watcher can tell. */
const asProduct = (source: string) =>
  new Function('rows', `return ${source}`)(connection.model('Row')) as Promise<unknown>;

const scansOf = async () =>
  describeScans(await explainQueries(connection, [...watched.queries.values()])).map((line) =>
    line.slice(0, 22),
  );

test('a query of the product that reads a whole collection is found, also in one statement of many', async () => {
  await asProduct("rows.find({ owner: 'a' }).sort({ at: -1 }).exec()");
  await asProduct(
    "rows.collection.bulkWrite([{ updateOne: { filter: { owner: 'a' }, update: { $set: { at: 1 } } } }])",
  );
  expect(watched.queries.size).toBe(2);
  expect(await scansOf()).toEqual([]);
  await asProduct(
    "rows.collection.bulkWrite([{ updateOne: { filter: { owner: 'a' }, update: { $set: { at: 1 } } } }, { deleteOne: { filter: { other: 1 } } }])",
  );
  await asProduct('rows.countDocuments({ at: 1 }).exec()');
  expect(await scansOf()).toEqual(['rows: [["delete","rows', 'rows: [["aggregate","r']);
});

test('a whole index that is read for its order is a scan, unless the query has a limit', async () => {
  await asProduct('rows.find({}).sort({ owner: 1, at: 1 }).limit(5).exec()');
  expect(await scansOf()).toEqual([]);
  await asProduct('rows.find({}).sort({ owner: 1, at: 1 }).exec()');
  expect(await scansOf()).toEqual(['rows: [["find","rows"]']);
});

test('queries of tests are left out, of a collection and of a model', async () => {
  await connection.collection('rows').findOne({ other: 1 });
  await connection.collection('rows').updateMany({ other: 1 }, { $set: { at: 1 } });
  await connection.model('Row').find({ other: 1 });
  expect([...watched.queries.keys()]).toEqual([]);
});

test('two queries with other values have one shape, and another condition or sort makes another', () => {
  const shape = (command: object) => queriesOf('find', { find: 'rows', ...command }).map(shapeOf)[0];
  const one = shape({ filter: { owner: 'a', at: { $gt: 1 } }, sort: new Map([['at', 1]]) });
  expect(shape({ filter: { owner: 'b', at: { $gt: 7 } }, sort: new Map([['at', 1]]) })).toBe(one);
  expect(shape({ filter: { owner: 'b', at: { $lt: 7 } }, sort: new Map([['at', 1]]) })).not.toBe(one);
  expect(shape({ filter: { owner: 'b', at: { $gt: 7 } }, sort: new Map([['at', -1]]) })).not.toBe(one);
  expect(shape({ filter: { owner: null, at: { $gt: 7 } }, sort: new Map([['at', 1]]) })).not.toBe(one);
});

test('two updates that write something else have one shape, and another condition makes another', () => {
  const update = (q: object, u: object) =>
    queriesOf('update', { update: 'rows', updates: [{ q, u, multi: true }] }).map(shapeOf)[0];
  const one = update({ owner: 'a' }, { $set: { at: 1 } });
  expect(update({ owner: 'b' }, { $unset: { other: 1 } })).toBe(one);
  expect(update({ other: 1 }, { $set: { at: 1 } })).not.toBe(one);
  const modify = (query: object, change: object) =>
    queriesOf('findAndModify', { findAndModify: 'rows', query, update: change }).map(shapeOf)[0];
  expect(modify({ owner: 'b' }, { $unset: { other: 1 } })).toBe(modify({ owner: 'a' }, { $set: { at: 1 } }));
  expect(modify({ at: 1 }, {})).not.toBe(modify({ owner: 'a' }, {}));
});
