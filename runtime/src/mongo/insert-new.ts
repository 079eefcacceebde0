import { mongo } from 'mongoose';
import { isDuplicateKey } from './database-errors.ts';

/** Small enough that other commands do not wait long. */
const documentsPerCommand = 500;

type Collection = {
  insertMany(documents: readonly mongo.Document[], options: { ordered: boolean }): Promise<unknown>;
};

/**
 * Inserts the documents that do not exist yet, without casting their values. Existing documents stay unchanged. Returns
 * the ids of the given documents that were not inserted: the id, or another unique key, exists.
 */
export async function insertNew<Id>(
  collection: Collection,
  documents: readonly { _id: Id }[],
): Promise<Set<Id>> {
  const existing = new Set<Id>();
  for (let start = 0; start < documents.length; start += documentsPerCommand) {
    const batch = documents.slice(start, start + documentsPerCommand);
    for (const index of await insertBatch(collection, batch)) {
      const document = batch[index];
      if (document) existing.add(document._id);
    }
  }
  return existing;
}

/** Returns the indexes of the documents that already existed. */
async function insertBatch(collection: Collection, documents: readonly mongo.Document[]): Promise<number[]> {
  try {
    await collection.insertMany(documents, { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const writeErrors = [error.writeErrors].flat();
    if (writeErrors.some(({ code }) => code !== 11000)) throw error;
    return writeErrors.map(({ index }) => index);
  }
}
