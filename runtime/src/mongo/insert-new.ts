import { mongo } from 'mongoose';
import { isDuplicateKey } from './database-errors.ts';

/** Small enough that other commands need not wait long for their turn. */
const documentsPerCommand = 500;

type Collection = {
  insertMany(documents: mongo.Document[], options: { ordered: boolean }): Promise<unknown>;
};

/**
 * Inserts documents, however many of them are there already: those stay as they are. The ids of those that stayed.
 * Values are stored as they are given.
 */
export async function insertNew(
  collection: Collection,
  documents: readonly { _id: string }[],
): Promise<Set<string>> {
  const known = new Set<string>();
  for (let start = 0; start < documents.length; start += documentsPerCommand) {
    const some = documents.slice(start, start + documentsPerCommand);
    for (const index of await insertSome(collection, some)) {
      const document = some[index];
      if (document) known.add(document._id);
    }
  }
  return known;
}

/** The places of those that were there. */
async function insertSome(collection: Collection, documents: readonly { _id: string }[]): Promise<number[]> {
  try {
    await collection.insertMany([...documents], { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const refused = [error.writeErrors].flat();
    if (refused.some(({ code }) => code !== 11000)) throw error;
    return refused.map(({ index }) => index);
  }
}
