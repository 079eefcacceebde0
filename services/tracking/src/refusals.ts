import { AppError } from '@shelfwise/runtime/errors';

/** Also for what another account tracks: its ids must not be told from unknown ones. */
export function appNotTracked(): AppError {
  return new AppError('APP_NOT_FOUND', 'This account does not track an application with that id.');
}

export function keywordNotTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account does not track that keyword for that application.');
}

export function competitorNotTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account has no competitor with that id.');
}

/** What a client is told whose plan has no room for another one. `what` is one of them: competitor. */
export function sayCapReached(what: string, cap: number): string {
  if (cap === 0) return `Your plan allows no ${what}s.`;
  return `Your plan allows ${cap} ${cap === 1 ? what : `${what}s`}. Remove one first.`;
}

export function capReached(what: string, cap: number): AppError {
  return new AppError('PLAN_LIMIT', sayCapReached(what, cap));
}

/** What was written before the row that names it is not there: somebody must look at the database. */
export function unreadable(missing: string): AppError {
  return new AppError('INTERNAL_ERROR', 'Stored data cannot be read. Try again later.', {
    cause: new Error(`${missing} is missing`),
  });
}
