import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';

/**
 * An upsert whose filter excludes a newer row: false, and nothing happens, when there is one. Its insert then fails on the
 * id of that row, each time that it is tried.
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
