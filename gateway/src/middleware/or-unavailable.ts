import { AppError } from '@shelfwise/runtime/errors';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';

/** Waits for the gateway's own database; when that fails, the client may try again: SERVICE_UNAVAILABLE. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isDatabaseFailure(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'The gateway cannot reach its database. Try again.', {
      cause: error,
    });
  }
}
