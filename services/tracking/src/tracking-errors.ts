import { AppError } from '@shelfwise/runtime/errors';
import { nounFor } from '@shelfwise/runtime/noun-for';

/** Also used for apps of other accounts: their ids must look like unknown ids. */
export function appNotTracked(): AppError {
  return new AppError('APP_NOT_FOUND', 'This account does not track an application with that id.');
}

export function keywordNotTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account does not track that keyword for that application.');
}

export function keywordNeverTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account has never tracked a keyword with that id.');
}

export function competitorNotTracked(): AppError {
  return new AppError('NOT_FOUND', 'This account has no competitor with that id.');
}

/** The message for a full plan; `what` is a singular noun, e.g. "competitor". */
export function capReachedMessage(what: string, cap: number): string {
  if (cap === 0) return `Your plan allows no ${nounFor(0, what)}.`;
  return `Your plan allows ${cap} ${nounFor(cap, what)}. Remove one first.`;
}

export function capReached(what: string, cap: number): AppError {
  return new AppError('PLAN_LIMIT', capReachedMessage(what, cap));
}

/** The message for room that another call has reserved and may not need. */
export const roomReservedMessage =
  'Another call may take the last place of your plan. Try again in a few seconds.';

/** The error of a call that got no room: `isFull` says why (`CapReservations`). */
export function noRoom(what: string, cap: number, isFull: boolean): AppError {
  return isFull ? capReached(what, cap) : new AppError('SERVICE_UNAVAILABLE', roomReservedMessage);
}

/** Looks rows up by their ids. The returned function throws INTERNAL_ERROR for a row that is missing. */
export function lookUpIn<Row extends { _id: number }>(
  rows: readonly Row[],
  what: string,
): (id: number) => Row {
  const byId = new Map(rows.map((row) => [row._id, row]));
  return (id) => {
    const row = byId.get(id);
    if (!row) throw missingRecord(`${what} ${id}`);
    return row;
  };
}

/**
 * A referenced record does not exist, although it is written before its reference: an operator must check the
 * database.
 */
export function missingRecord(record: string): AppError {
  return new AppError('INTERNAL_ERROR', 'Stored data cannot be read. Try again later.', {
    cause: new Error(`${record} is missing`),
  });
}
