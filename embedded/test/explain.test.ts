import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'explain-'));
let engine: RunningEngine;
let connection: Connection;
let db: mongo.Db;
let things: mongo.Collection;

beforeAll(async () => {
  engine = await startEngine({ dataDir });
  connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'explain' }).asPromise();
  db = connection.getClient().db('explain');
  things = db.collection('things');
  await things.createIndex({ owner: 1, at: 1 });
  await things.createIndex({ word: 1 }, { unique: true, sparse: true });
  await things.insertMany([
    { owner: 'a', at: 1 },
    { owner: 'a', at: 2, word: 'w' },
  ]);
});
afterAll(async () => {
  await connection.close();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Stage = { stage: string; indexName?: string; inputStage?: Stage; inputStages?: Stage[] };

/** The stages of a plan as a line: `SORT(FETCH(IXSCAN owner_1_at_1))`. */
function format({ stage, indexName, inputStage, inputStages }: Stage): string {
  const inner = inputStage ? [inputStage] : (inputStages ?? []);
  const name = indexName ? `${stage} ${indexName}` : stage;
  return inner.length > 0 ? `${name}(${inner.map(format).join(', ')})` : name;
}

async function explain(command: mongo.Document): Promise<string> {
  const { queryPlanner } = await db.command({ explain: command, verbosity: 'queryPlanner' });
  return format(queryPlanner.winningPlan);
}

const filter = { owner: 'a' };
const cases: [plan: string, command: mongo.Document][] = [
  ['IDHACK', { find: 'things', filter: { _id: 7 } }],
  ['FETCH(IXSCAN _id_)', { find: 'things', filter: { _id: { $in: [7, 8] } } }],
  ['FETCH(IXSCAN _id_)', { find: 'things', filter: { _id: 7, other: 1 } }],
  ['FETCH(IXSCAN owner_1_at_1)', { find: 'things', filter, sort: { at: -1 } }],
  ['LIMIT(SORT(FETCH(IXSCAN owner_1_at_1)))', { find: 'things', filter, sort: { other: 1 }, limit: 5 }],
  ['COLLSCAN', { find: 'things', filter: { other: 1 } }],
  ['COLLSCAN', { find: 'things', filter: { at: 1 } }],
  ['COLLSCAN', { find: 'things' }],
  ['COLLSCAN', { find: 'things', filter: { word: null } }],
  [
    'FETCH(OR(IXSCAN word_1, IXSCAN owner_1_at_1))',
    { find: 'things', filter: { $or: [{ word: 'w' }, filter] } },
  ],
  ['COLLSCAN', { find: 'things', filter: { $or: [{ word: 'w' }, { other: 1 }] } }],
  ['EOF', { find: 'absent', filter: { other: 1 } }],
  ['COUNT(FETCH(IXSCAN owner_1_at_1))', { count: 'things', query: filter }],
  ['COUNT(RECORD_STORE_FAST_COUNT)', { count: 'things' }],
  ['COLLSCAN', { distinct: 'things', key: 'owner' }],
  [
    'GROUP(FETCH(IXSCAN owner_1_at_1))',
    {
      aggregate: 'things',
      cursor: {},
      pipeline: [{ $match: filter }, { $group: { _id: '$at', n: { $sum: 1 } } }],
    },
  ],
  [
    'UPDATE(FETCH(IXSCAN word_1))',
    { update: 'things', updates: [{ q: { word: 'w' }, u: { $set: { at: 3 } } }] },
  ],
  ['DELETE(COLLSCAN)', { delete: 'things', deletes: [{ q: { other: 1 }, limit: 0 }] }],
  [
    'UPDATE(FETCH(IXSCAN owner_1_at_1))',
    { findAndModify: 'things', query: filter, sort: { at: 1 }, update: { $set: { at: 3 } } },
  ],
  ['DELETE(IDHACK)', { findAndModify: 'things', query: { _id: 7 }, remove: true }],
];

test.each(cases)('%s is the plan of %j', async (plan, command) => {
  expect(await explain(command)).toBe(plan);
});

test('an explanation runs nothing', async () => {
  await explain({ delete: 'things', deletes: [{ q: {}, limit: 0 }] });
  await explain({ update: 'new', updates: [{ q: { _id: 1 }, u: { $set: { a: 1 } }, upsert: true }] });
  expect(await things.countDocuments()).toBe(2);
  expect(await db.listCollections({ name: 'new' }).toArray()).toEqual([]);
});

test('mongoose and the driver explain their queries', async () => {
  const model = connection.model('Thing', new mongoose.Schema({ owner: String, at: Number }), 'things');
  const explained = (await model
    .find(filter)
    .sort({ at: 1 })
    .explain('queryPlanner')) as unknown as mongo.Document;
  expect(explained.queryPlanner).toMatchObject({
    namespace: 'explain.things',
    winningPlan: {
      stage: 'FETCH',
      inputStage: {
        stage: 'IXSCAN',
        keyPattern: { owner: 1, at: 1 },
        direction: 'forward',
        isMultiKey: false,
      },
    },
    rejectedPlans: [],
  });
  const { queryPlanner } = await things.find({ other: 1 }).explain('queryPlanner');
  expect(queryPlanner.winningPlan.stage).toBe('COLLSCAN');
});

test.each([
  ['the verbosity', { explain: { find: 'things' }, verbosity: 'executionStats' }],
  [
    'the explanation of the command',
    { explain: { insert: 'things', documents: [{}] }, verbosity: 'queryPlanner' },
  ],
  ["the option 'collation'", { explain: { find: 'things', collation: {} }, verbosity: 'queryPlanner' }],
  [
    'exactly one',
    {
      explain: {
        delete: 'things',
        deletes: [
          { q: {}, limit: 1 },
          { q: {}, limit: 1 },
        ],
      },
      verbosity: 'queryPlanner',
    },
  ],
])('%s is refused', async (message, command) => {
  await expect(db.command(command)).rejects.toThrow(message);
});
