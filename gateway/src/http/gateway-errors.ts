import { AppError } from '@shelfwise/runtime/errors';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';

/** A request that is wrong as a whole, not in one field. */
export function badRequest(message: string): AppError {
  return new AppError('INVALID_PARAMS', message, {
    details: { issues: { formErrors: [message], fieldErrors: {} }, notes: [] },
  });
}

/** Also the answer to a key that has just been replaced. */
export function invalidKey(): AppError {
  return new AppError(
    'INVALID_API_KEY',
    'This API key is not valid. It may have been replaced by a new one.',
  );
}

/** The answer to a call of a tool whose credential is used, has expired, or does not allow this call. */
export function invalidCredential(): AppError {
  return new AppError(
    'INVALID_API_KEY',
    'The assistant may not make this call: its connection has ended, it waited too long, or it may only read.',
  );
}

/** The answer of the dashboard to a call whose session is missing or has ended. */
export function sessionRequired(message = 'Sign in first: there is no session, or it has ended.'): AppError {
  return new AppError('SESSION_REQUIRED', message);
}

/** A bug in Shelfwise: the client gets this general message, the log gets the cause. */
export function unexpectedFailure(cause: unknown): AppError {
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Try again later.', { cause });
}

/** Waits for the gateway's own database. Its failures become SERVICE_UNAVAILABLE, so the client may retry. */
export async function mapDatabaseError<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isDatabaseFailure(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'The gateway cannot reach its database. Try again.', {
      cause: error,
    });
  }
}
