import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'operators-'));
let engine: RunningEngine;
let connection: Connection;
let things: mongo.Collection;

beforeAll(async () => {
  engine = await startEngine({ dataDir });
  connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'operators' }).asPromise();
  things = connection.getClient().db('operators').collection('things');
});
afterAll(async () => {
  await connection.close();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Kind = {
  kind: string;
  /** Those that the stores use, each with an operand. A store that needs another one adds it to the engine and here. */
  supported: Readonly<Record<string, unknown>>;
  /** The others of MongoDB. */
  refused: string;
  attempt: (operator: string, operand: unknown) => Promise<unknown>;
};

const group = { _id: '$a', n: { $sum: 1 } };
const kinds: Kind[] = [
  {
    kind: 'condition',
    supported: {
      $eq: 1,
      $ne: 1,
      $gt: 1,
      $gte: 1,
      $lt: 1,
      $lte: 1,
      $in: [1],
      $nin: [1],
      $not: { $gt: 1 },
    },
    refused: '$exists $all $elemMatch $size $type $mod $regex $bitsAllSet $bitsAnySet $near $geoWithin',
    attempt: (operator, operand) => things.find({ a: { [operator]: operand } }).toArray(),
  },
  {
    kind: 'filter',
    supported: { $or: [{ a: 1 }] },
    refused: '$comment $and $nor $expr $where $text $jsonSchema',
    attempt: (operator, operand) => things.find({ [operator]: operand }).toArray(),
  },
  {
    kind: 'update',
    supported: { $set: 1, $setOnInsert: 1, $unset: 1, $inc: 1, $min: 1, $max: 1 },
    refused: '$mul $rename $push $addToSet $pull $pullAll $pop $bit $currentDate',
    attempt: (operator, operand) => things.updateOne({ a: 1 }, { [operator]: { a: operand } }),
  },
  {
    kind: 'stage',
    supported: { $match: { a: 1 }, $limit: 1, $group: group },
    refused:
      '$sort $skip $project $count $addFields $set $unset $unwind $lookup $facet $sample $sortByCount $replaceRoot $unionWith $bucket $out $merge',
    attempt: (operator, operand) => things.aggregate([{ [operator]: operand }]).toArray(),
  },
  {
    kind: 'accumulator',
    supported: { $sum: 1 },
    refused: '$count $avg $min $max $first $last $push $addToSet',
    attempt: (operator, operand) =>
      things.aggregate([{ $group: { ...group, n: { [operator]: operand } } }]).toArray(),
  },
];

test.each(kinds)(
  'the $kind operators that stores use are supported, and the others refused by name',
  async ({ supported, refused, attempt }) => {
    for (const [operator, operand] of Object.entries(supported))
      expect([operator, await attempt(operator, operand)]).toEqual([operator, expect.anything()]);
    for (const operator of refused.split(' ')) {
      const message = expect.stringContaining(`the embedded database does not support ${operator}`);
      await expect(attempt(operator, 1)).rejects.toMatchObject({ code: 238, message });
    }
  },
);
