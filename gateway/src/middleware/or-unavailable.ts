import { AppError } from '@shelfwise/runtime/errors';

/** Waits for the gateway's own database; when that fails, the client may try again: SERVICE_UNAVAILABLE. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isOfDatabase(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'The gateway cannot reach its database. Try again.', {
      cause: error,
    });
  }
}

/** The driver's errors bear its name; anything else is a mistake of ours and stays one. */
function isOfDatabase(error: unknown): boolean {
  return /^Mongo/.test((error as { name?: string } | null)?.name ?? '');
}
