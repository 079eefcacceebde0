import type { Connection } from 'mongoose';
import { useDatabase } from '../../testing/use-database.ts';
import { deleteAll, deleteBatch, documentsPerBatch } from '../src/mongo/delete-batch.ts';

const database = useDatabase({ database: 'delete', createModels: () => {}, migrations: [] });
let connection: Connection;
beforeEach(async () => {
  ({ connection } = await database.take());
});

const rows = () => connection.collection<{ _id: number; owner: string }>('rows');

async function insertRows(count: number): Promise<void> {
  for (let start = 0; start < count; start += 40)
    await rows().insertMany(
      Array.from({ length: Math.min(40, count - start) }, (_, index) => ({
        _id: start + index,
        owner: (start + index) % 2 === 0 ? 'ann' : 'bob',
      })),
    );
}

test('a batch deletes the first matching documents in the given order, and reports a full batch', async () => {
  await insertRows(3 * documentsPerBatch);
  expect(await deleteBatch({ collection: rows() }, { owner: 'ann' }, { _id: -1 })).toBe(documentsPerBatch);
  const left = await rows().find({ owner: 'ann' }).sort({ _id: 1 }).toArray();
  expect(left.map(({ _id }) => _id)).toEqual(Array.from({ length: documentsPerBatch / 2 }, (_, i) => 2 * i));
  expect(await rows().countDocuments({ owner: 'bob' })).toBe((3 * documentsPerBatch) / 2);
});

test('all matching documents are deleted, and no others', async () => {
  await insertRows(2 * documentsPerBatch + 2);
  const { signal } = new AbortController();
  const deleted = await deleteAll({ collection: rows() }, { owner: 'ann' }, signal);
  expect(deleted).toEqual({ found: documentsPerBatch + 1, isComplete: true });
  expect(await rows().countDocuments({})).toBe(documentsPerBatch + 1);
  expect(await rows().countDocuments({ owner: 'ann' })).toBe(0);
});

test('a deletion whose caller left reports that it is incomplete', async () => {
  await insertRows(2);
  const deleted = await deleteAll({ collection: rows() }, {}, AbortSignal.abort());
  expect(deleted).toEqual({ found: 0, isComplete: false });
  expect(await rows().countDocuments({})).toBe(2);
});
