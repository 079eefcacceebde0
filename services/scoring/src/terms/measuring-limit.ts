import { AppError } from '@shelfwise/runtime/errors';

/** A caller gets its reply this long before its deadline. */
const answerMs = 500;
/** Created once, because few measurements need it. */
const outOfTime = new AppError('STORE_FETCH_FAILED', 'The store was not read in time. Try again later.');

/**
 * The time limit of a measurement. It ends `headStartMs` earlier for work that starts measurements, which have a limit
 * of their own.
 */
export function measuringLimit(headStartMs = 0) {
  return {
    reserveMs: answerMs + headStartMs,
    error: outOfTime,
  };
}
