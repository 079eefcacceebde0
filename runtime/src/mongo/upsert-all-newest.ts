import { isDuplicateKey } from './database-errors.ts';
import { upsertNewest } from './upsert-newest.ts';

/**
 * Upserts of different rows, each as `upsertNewest`: in one command, unless a newer row exists or is just being created.
 * @param together the command of all
 * @param each the same one by one, in any order
 * @returns what the command did to the rows; null: they were upserted one by one
 */
export async function upsertAllNewest<Counts>(
  together: () => Promise<Counts>,
  each: readonly (() => Promise<unknown>)[],
): Promise<Counts | null> {
  try {
    return await together();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  for (const upsert of each) await upsertNewest(upsert);
  return null;
}
