import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { unhurriedFor, urgentFor } from '../budget/urgency.ts';
import type { ReadOptions } from '../source.ts';

/** Reads of a store stop this long before the caller's deadline, so that a slow store is 502 and never 503. */
const reserveMs = 2000;
/** Created once, because few reads need it. */
const tooLate = new AppError(
  'STORE_FETCH_FAILED',
  'The store did not answer in the time that was left for this call. Try again.',
);

/**
 * Runs a read of a store for as long as its caller can wait. Its signal aborts when the caller has given up or the
 * time is up.
 * @throws STORE_FETCH_FAILED when the time is up
 */
export function beforeDeadline<Result>(
  call: CallContext,
  read: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withDeadline(call, { reserveMs, error: tooLate }, async (signal) => {
    signal.throwIfAborted();
    try {
      return await read(signal);
    } catch (error) {
      throw signal.reason === tooLate ? tooLate : error;
    }
  });
}

/** The signal, urgency and request id with which a request reads the source. */
export function readOptions(
  request: { for_daily_run: boolean },
  { callerId, requestId }: Pick<CallContext, 'callerId' | 'requestId'>,
  signal: AbortSignal,
): ReadOptions {
  const urgency = request.for_daily_run ? unhurriedFor(callerId) : urgentFor(callerId);
  return { signal, urgency, requestId };
}
