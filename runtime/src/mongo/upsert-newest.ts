import { retryUpsert } from './retry-upsert.ts';
import { tryCreate } from './try-create.ts';

/**
 * An upsert whose filter excludes a newer row. Returns false and writes nothing when there is a newer row: the insert
 * then fails on the id of that row at every attempt.
 */
export function upsertNewest(upsert: () => Promise<unknown>): Promise<boolean> {
  return tryCreate(() => retryUpsert(upsert));
}
