import { mongo } from 'mongoose';
import { isDuplicateKey } from './database-errors.ts';

/** Small enough that other commands do not wait long. */
const documentsPerCommand = 500;

type Collection = {
  insertMany(documents: mongo.Document[], options: { ordered: boolean }): Promise<unknown>;
};

/**
 * Inserts the documents that do not exist yet, without casting their values. Existing documents stay unchanged; their
 * ids are returned.
 */
export async function insertNew(
  collection: Collection,
  documents: readonly { _id: string }[],
): Promise<Set<string>> {
  const existing = new Set<string>();
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
async function insertBatch(collection: Collection, documents: readonly { _id: string }[]): Promise<number[]> {
  try {
    await collection.insertMany([...documents], { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const writeErrors = [error.writeErrors].flat();
    if (writeErrors.some(({ code }) => code !== 11000)) throw error;
    return writeErrors.map(({ index }) => index);
  }
}
