import { isDuplicateKey } from './database-errors.ts';

/**
 * Retries an upsert that collided with another upsert of the same new document: the second attempt finds the
 * document.
 */
export async function retryUpsert<Result>(upsert: () => Promise<Result>): Promise<Result> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return upsert();
  }
}
