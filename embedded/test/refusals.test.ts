import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection, type mongo, Types } from 'mongoose';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'refusals-'));
let engine: RunningEngine;
let connection: Connection;
let things: mongo.Collection;
let db: mongo.Db;

beforeAll(async () => {
  engine = await startEngine({ dataDir });
  connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'refusals' }).asPromise();
  db = connection.getClient().db('refusals');
  things = db.collection('things');
  await things.insertMany([
    { n: 1, list: [1, 2], items: [{ a: 1 }] },
    { n: 2, list: [3], text: 'x' },
  ]);
});
/** Refused commands change nothing. */
afterEach(async () => {
  expect(await things.find({}, { projection: { _id: 0 } }).toArray()).toEqual([
    { n: 1, list: [1, 2], items: [{ a: 1 }] },
    { n: 2, list: [3], text: 'x' },
  ]);
  expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_']);
});
afterAll(async () => {
  await connection.close();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const find = (filter: mongo.Filter<mongo.Document>, options?: mongo.FindOptions) =>
  things.find(filter, options).toArray();
const update = (change: mongo.UpdateFilter<mongo.Document>, options?: mongo.UpdateOptions) =>
  things.updateOne({ n: 1 }, change, options);
const aggregate = (...stages: mongo.Document[]) => things.aggregate(stages).toArray();
const command = (request: mongo.Document) => db.command(request);
const decimal = Types.Decimal128.fromString('1.5');

const refused: [thing: string, attempt: () => Promise<unknown>][] = [
  ["the command 'collStats'", () => command({ collStats: 'things' })],
  ["the command 'mapReduce'", () => command({ mapReduce: 'things' })],
  ["the command 'constructor'", () => command({ constructor: 1 })],
  ["the option 'surprise' of find", () => command({ find: 'things', surprise: 1 })],
  ["the option 'collation' of find", () => find({}, { collation: { locale: 'en', strength: 2 } })],
  ["the option 'tailable' of find", () => find({}, { tailable: true })],
  ["the option 'let' of find", () => command({ find: 'things', let: { a: 1 } })],
  ["the option 'min' of find", () => find({}, { min: { n: 1 }, hint: { n: 1 } })],
  ["the option 'collation' of distinct", () => things.distinct('n', {}, { collation: { locale: 'en' } })],
  ["the option 'let' of aggregate", () => things.aggregate([], { let: { a: 1 } }).toArray()],
  ["the option 'collation' of an update", () => update({ $set: { n: 1 } }, { collation: { locale: 'en' } })],
  [
    "the option 'arrayFilters' of an update",
    () => update({ $set: { n: 1 } }, { arrayFilters: [{ 'e.a': 1 }] }),
  ],
  ["the option 'collation' of a delete", () => things.deleteOne({ n: 9 }, { collation: { locale: 'en' } })],
  [
    "the option 'fields' of findAndModify",
    () => things.findOneAndUpdate({ n: 1 }, { $set: { n: 1 } }, { projection: { n: 1 } }),
  ],
  [
    "the option 'bypassDocumentValidation' of insert",
    () => command({ insert: 'things', documents: [{}], bypassDocumentValidation: true }),
  ],
  ["the option 'capped' of create", () => db.createCollection('capped', { capped: true, size: 1000 })],
  [
    "the option 'timeseries' of create",
    () => db.createCollection('series', { timeseries: { timeField: 't' } }),
  ],
  ["the option 'validator' of create", () => db.createCollection('checked', { validator: { n: 1 } })],
  [
    "the option 'expireAfterSeconds' of an index",
    () => things.createIndex({ at: 1 }, { expireAfterSeconds: 1 }),
  ],
  [
    "the option 'partialFilterExpression' of an index",
    () => things.createIndex({ n: 1 }, { partialFilterExpression: { n: 1 } }),
  ],
  ["the option 'collation' of an index", () => things.createIndex({ n: 1 }, { collation: { locale: 'en' } })],
  ['the index type {"text":"text"}', () => things.createIndex({ text: 'text' })],
  ['the index type {"n":"hashed"}', () => things.createIndex({ n: 'hashed' })],
  ['$**', () => things.createIndex({ '$**': 1 })],
  [
    'transactions',
    () =>
      connection.transaction(async (session) => {
        await things.insertOne({ n: 9 }, { session });
      }),
  ],
  ['transactions', () => command({ insert: 'things', documents: [{}], txnNumber: 1 })],
  ['$gt with a value of type Decimal128', () => find({ n: { $gt: decimal } })],
  ['equality with a value of type Decimal128', () => find({ n: decimal })],
  ['$gt with a value of type object', () => find({ n: { $gt: null } })],
  ['$gt with a value of type array', () => find({ list: { $gt: [1] } })],
  ['equality with a value of type array', () => find({ list: [1, 2] })],
  ['equality with a value of type object', () => find({ 'items.0': { a: 1 } })],
  ['$in with a value of type BSONRegExp', () => find({ text: { $in: [/^x/] } })],
  ['the regular expression /x.*y/', () => find({ text: /x.*y/ })],
  ['the regular expression /(a+)+b/', () => find({ text: /(a+)+b/ })],
  ['the regular expression /^x/', () => find({ text: /^x/ })],
  ['the regular expression /x$/', () => find({ text: /x$/ })],
  ['$gt with NaN or a date out of range', () => find({ n: { $gt: Number.NaN } })],
  ['$lte with NaN or a date out of range', () => find({ n: { $gt: 1, $lte: Number.NaN } })],
  ["the regular expression option 'i'", () => find({ text: /x/i })],
  ['the sort order {"$meta":"textScore"}', () => find({}, { sort: { score: { $meta: 'textScore' } } })],
  ['the projection {"list":{"$slice":1}}', () => find({}, { projection: { list: { $slice: 1 } } })],
  [
    'the projection {"items":{"$elemMatch":{"a":1}}}',
    () => find({}, { projection: { items: { $elemMatch: { a: 1 } } } }),
  ],
  ["the positional path 'list.$'", () => find({ list: 1 }, { projection: { 'list.$': 1 } })],
  ["the positional path 'list.$'", () => update({ $set: { 'list.$': 5 } })],
  ["the positional path 'list.$[]'", () => update({ $inc: { 'list.$[]': 5 } })],
  ['an update pipeline', () => things.updateOne({ n: 1 }, [{ $set: { n: 1 } }])],
  [
    '$or in the filter of an upsert',
    () => things.updateOne({ $or: [{ n: 77 }] }, { $set: { text: 'y' } }, { upsert: true }),
  ],
  ['$group without $sum', () => aggregate({ $group: { _id: '$n' } })],
  ['$sum of "$n"', () => aggregate({ $group: { _id: null, n: { $sum: '$n' } } })],
  [
    'more than one accumulator in $group',
    () => aggregate({ $group: { _id: 1, a: { $sum: 1 }, b: { $sum: 1 } } }),
  ],
  ['$group of {"$year":"$at"}', () => aggregate({ $group: { _id: { $year: '$at' }, n: { $sum: 1 } } })],
  [
    "the expression '$items.a' over an array",
    () => aggregate({ $group: { _id: '$items.a', n: { $sum: 1 } } }),
  ],
  ['an aggregation without a collection', () => db.aggregate([{ $documents: [] }]).toArray()],
  ['values of type Decimal128', () => things.insertOne({ n: decimal })],
  ['values of type Decimal128', () => update({ $set: { n: decimal } })],
  ['values of type Long', () => things.insertOne({ n: 2n ** 60n })],
  ['values of type BSONRegExp', () => things.insertOne({ n: /x/ })],
  ["a field named 'a.b'", () => things.insertOne({ meta: { 'a.b': 1 } })],
  ['constructor', () => aggregate({ constructor: 1 })],
  ['__proto__', () => aggregate({ $limit: 1 }, { ['__proto__']: 1 })],
  ["a field named '__proto__'", () => aggregate({ $group: { _id: 1, ['__proto__']: { $sum: 1 } } })],
  ["a field named 'a.b'", () => aggregate({ $group: { _id: 1, 'a.b': { $sum: 1 } } })],
  ["a field named '__proto__'", () => update({ $set: { text: JSON.parse('{"__proto__": 1}') } })],
  ["a field named '$a'", () => things.insertOne({ meta: { $a: 1 } })],
  ['an _id that is null, a document or an array', () => things.insertOne({ _id: { a: 1 } } as object)],
];

test.each(refused)('%s is refused by name', async (thing, attempt) => {
  await expect(attempt()).rejects.toMatchObject({
    code: 238,
    message: expect.stringContaining(`the embedded database does not support ${thing}`),
  });
});

// The driver itself refuses `_bsontype` without a dot.
const reserved = ['__proto__', 'a.__proto__', '__proto__.a', 'a._bsontype', 'a._bsontype.b'];

test.each(reserved)('the path %s is refused everywhere', async (path) => {
  const attempts = [
    () => find({ [path]: 1 }),
    () => find({ $or: [{ n: 1 }, { [path]: 1 }] }),
    () => find({}, { projection: { [path]: 1 } }),
    () => find({}, { sort: [[path, 1]] }),
    () => things.distinct(path),
    () => things.createIndex([[path, 1]]),
    ...['$set', '$setOnInsert', '$unset', '$inc', '$min', '$max'].map(
      (operator) => () => update({ [operator]: { [path]: 1 } }),
    ),
    () => things.findOneAndUpdate({ n: 1 }, { $set: { [path]: 1 } }),
    () => things.updateOne({ [path]: 1 }, { $set: { n: 1 } }, { upsert: true }),
    () => aggregate({ $group: { _id: `$${path}`, n: { $sum: 1 } } }),
  ];
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({ code: 2, message: `the path '${path}' is not allowed` });
  }
});

test('fields named as members of every JavaScript object are ordinary fields', async () => {
  const names = db.collection('names');
  await names.createIndex({ constructor: 1 });
  await names.insertMany([{ a: 1 }, { constructor: 2, prototype: { a: 3 }, toString: 4 }] as object[]);
  expect(await names.countDocuments({ constructor: null } as object)).toBe(1);
  expect(await names.countDocuments({ toString: null } as object)).toBe(1);
  expect(await names.countDocuments({ 'prototype.a': 3 })).toBe(1);
  await names.updateOne({ a: 1 }, { $set: { constructor: 1 }, $unset: { a: 1 } } as object);
  await names.updateOne({ constructor: 1 } as object, { $inc: { 'hasOwnProperty.b': 1 } });
  const found = await names
    .find()
    .project({ _id: 0 })
    .sort([['constructor', 1]])
    .toArray();
  expect(found).toEqual<object[]>([
    { constructor: 1, hasOwnProperty: { b: 1 } },
    { constructor: 2, prototype: { a: 3 }, toString: 4 },
  ]);
  const groups = await names.aggregate([{ $group: { _id: '$toString', valueOf: { $sum: 1 } } }]).toArray();
  expect(groups).toHaveLength(2);
  await names.drop();
});

test('parallel arrays in one index, a changed _id and excessive nesting are errors', async () => {
  const pairs = db.collection('pairs');
  await pairs.createIndex({ a: 1, b: 1 });
  await expect(pairs.insertOne({ a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
  await expect(things.updateOne({ n: 1 }, { $set: { _id: 5 } } as object)).rejects.toMatchObject({
    code: 66,
  });
  const deep = Array.from({ length: 150 }).reduce<object>((inner) => ({ inner }), {});
  await expect(things.insertOne(deep)).rejects.toMatchObject({ code: 15 });
});
