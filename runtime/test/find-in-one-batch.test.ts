import { Schema } from 'mongoose';
import { recordCommands } from '../../testing/record-commands.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { bulkWriteInChunks } from '../src/mongo/bulk-write-in-chunks.ts';

const schema = new Schema<{ _id: number; seen?: boolean }>({ _id: Number, seen: Boolean });
const database = useDatabase({
  database: 'batches',
  createModels: (connection) => connection.model('Row', schema, 'rows'),
  migrations: [],
});

/** A collection of numbered rows, and the commands that the driver has sent since. */
async function openRows(count: number) {
  const { connection } = await database.take();
  const rows = connection.model<{ _id: number; seen?: boolean }>('Row');
  await rows.collection.insertMany(Array.from({ length: count }, (_, index) => ({ _id: index }) as never));
  const commands = recordCommands(connection);
  return { rows, commands };
}

test.each([
  ['without a limit', undefined, 150],
  ['with a limit that it reaches', 120, 120],
  ['with a limit above its size', 200, 150],
])('a find of 150 rows %s is one command', async (_case, limit, expected) => {
  const { rows, commands } = await openRows(150);
  const query = rows.find({}).sort({ _id: 1 });
  if (limit !== undefined) query.limit(limit);
  expect(await query.lean()).toHaveLength(expected);
  expect(commands).toEqual(['find rows']);
});

test('a query that streams keeps its own batch size', async () => {
  const { rows, commands } = await openRows(150);
  let count = 0;
  for await (const _row of rows.find({}).cursor({ batchSize: 60 })) count += 1;
  expect(count).toBe(150);
  expect(commands).toEqual(['find rows', expect.stringMatching('getMore'), expect.stringMatching('getMore')]);
});

test('a bulk write of 120 updates takes three commands and counts the changed documents', async () => {
  const { rows, commands } = await openRows(120);
  const updates = Array.from({ length: 120 }, (_, index) => ({
    updateOne: { filter: { _id: index, seen: null }, update: { $set: { seen: true } } },
  }));
  expect(await bulkWriteInChunks(rows, updates)).toEqual({
    matchedCount: 120,
    upsertedCount: 0,
    modifiedCount: 120,
  });
  expect(commands).toEqual(['update rows', 'update rows', 'update rows']);
  const none = { matchedCount: 0, upsertedCount: 0, modifiedCount: 0 };
  expect(await bulkWriteInChunks(rows, updates)).toEqual(none);
  expect(await bulkWriteInChunks(rows, [])).toEqual(none);
});

test('a bulk write sends the values as they are, without casting them', async () => {
  const { rows } = await openRows(1);
  const cast = jest.spyOn(rows, 'bulkWrite');
  await bulkWriteInChunks(rows, [
    { updateOne: { filter: { _id: 0 }, update: { $set: { other: 'not in the schema' } } } },
  ]);
  expect(await rows.collection.findOne({})).toMatchObject({ other: 'not in the schema' });
  expect(cast).not.toHaveBeenCalled();
});
