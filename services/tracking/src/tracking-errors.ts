import { AppError } from '@shelfwise/runtime/errors';

/** Also for what another account tracks: its ids must not be distinguishable from unknown ones. */
export function appNotTracked(): AppError {
  return new AppError('APP_NOT_FOUND', 'This account does not track an application with that id.');
}

export function keywordNotTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account does not track that keyword for that application.');
}

export function competitorNotTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account has no competitor with that id.');
}

/** The message for a plan without room for another one; `what` in the singular: competitor. */
export function capReachedMessage(what: string, cap: number): string {
  if (cap === 0) return `Your plan allows no ${what}s.`;
  return `Your plan allows ${cap} ${cap === 1 ? what : `${what}s`}. Remove one first.`;
}

export function capReached(what: string, cap: number): AppError {
  return new AppError('PLAN_LIMIT', capReachedMessage(what, cap));
}

/** A record that was written before the row that names it is missing: an operator must look at the database. */
export function missingRecord(record: string): AppError {
  return new AppError('INTERNAL_ERROR', 'Stored data cannot be read. Try again later.', {
    cause: new Error(`${record} is missing`),
  });
}
