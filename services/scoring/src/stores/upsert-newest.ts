import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';

/**
 * An upsert whose filter excludes a newer row. Returns false and writes nothing when there is a newer row: the insert
 * then fails on the id of that row at every attempt.
 */
export async function upsertNewest(upsert: () => Promise<unknown>): Promise<boolean> {
  try {
    await retryUpsert(upsert);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
