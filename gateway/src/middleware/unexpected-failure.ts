import { AppError } from '@shelfwise/runtime/errors';

/** What clients are told of a mistake of ours; the log tells the cause. */
export function unexpectedFailure(cause: unknown): AppError {
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Try again later.', { cause });
}
