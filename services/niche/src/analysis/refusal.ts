import { AppError } from '@shelfwise/runtime/errors';

/** The store could not be read, or what reads it not be reached: nobody's fault here, and it may pass. */
export function isRefusal(error: unknown): error is AppError {
  return (
    error instanceof AppError && (error.code === 'STORE_FETCH_FAILED' || error.code === 'SERVICE_UNAVAILABLE')
  );
}
