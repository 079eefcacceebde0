import { isDuplicateKey } from './database-errors.ts';

/** Two upserts of one new document may collide: the one that loses finds the document when it tries once more. */
export async function retryUpsert<Result>(upsert: () => Promise<Result>): Promise<Result> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return upsert();
  }
}
