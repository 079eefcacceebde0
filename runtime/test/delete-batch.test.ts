import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { connectMongo } from '../src/mongo/connect-mongo.ts';
import { deleteAll, deleteBatch, documentsPerBatch } from '../src/mongo/delete-batch.ts';
import { createRecordingLogger } from './recording-logger.ts';

const server = useDatabaseServer();
let connection: Connection;
beforeEach(async () => {
  const database = `delete_${randomUUID().slice(0, 18)}`;
  connection = await connectMongo({ uri: server(), database, logger: createRecordingLogger().logger });
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
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
  expect(await deleteBatch(connection, 'rows', { owner: 'ann' }, { _id: -1 })).toBe(documentsPerBatch);
  const left = await rows().find({ owner: 'ann' }).sort({ _id: 1 }).toArray();
  expect(left.map(({ _id }) => _id)).toEqual(Array.from({ length: documentsPerBatch / 2 }, (_, i) => 2 * i));
  expect(await rows().countDocuments({ owner: 'bob' })).toBe((3 * documentsPerBatch) / 2);
});

test('all matching documents are deleted, and no others', async () => {
  await insertRows(2 * documentsPerBatch + 2);
  const { signal } = new AbortController();
  const deleted = await deleteAll(connection, 'rows', { owner: 'ann' }, signal);
  expect(deleted).toEqual({ found: documentsPerBatch + 1, isComplete: true });
  expect(await rows().countDocuments({})).toBe(documentsPerBatch + 1);
  expect(await rows().countDocuments({ owner: 'ann' })).toBe(0);
});

test('a deletion whose caller left reports that it is incomplete', async () => {
  await insertRows(2);
  const deleted = await deleteAll(connection, 'rows', {}, AbortSignal.abort());
  expect(deleted).toEqual({ found: 0, isComplete: false });
  expect(await rows().countDocuments({})).toBe(2);
});
