import { type BulkWriteCounts, bulkWriteInChunks } from './bulk-write-in-chunks.ts';
import { isDuplicateKey } from './database-errors.ts';
import { upsertNewest } from './upsert-newest.ts';

/**
 * Upserts of different rows, each as `upsertNewest`: in one command, unless a newer row exists or is just being created.
 * @returns what the command did to the rows; null: they were upserted one by one
 */
export async function upsertAllNewest(
  model: Parameters<typeof bulkWriteInChunks>[0],
  upserts: readonly { filter: object; update: object }[],
): Promise<BulkWriteCounts | null> {
  const operations = upserts.map((upsert) => ({ updateOne: { ...upsert, upsert: true } }));
  try {
    return await bulkWriteInChunks(model, operations);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  for (const operation of operations) await upsertNewest(() => bulkWriteInChunks(model, [operation]));
  return null;
}
