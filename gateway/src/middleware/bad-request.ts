import { AppError } from '@shelfwise/runtime/errors';

/** A request that is wrong as a whole, not in one field. */
export function badRequest(message: string): AppError {
  return new AppError('INVALID_PARAMS', message, {
    details: { issues: { formErrors: [message], fieldErrors: {} }, notes: [] },
  });
}
