import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';

/**
 * An upsert whose filter leaves out a row that is newer: false, and nothing happens, when there is such a row. Its
 * insert then meets the row's id each time that it is tried.
 */
export async function putNewest(upsert: () => Promise<unknown>): Promise<boolean> {
  try {
    await retryUpsert(upsert);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
