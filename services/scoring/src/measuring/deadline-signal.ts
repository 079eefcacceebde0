import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';

/** A caller gets its reply this long before its deadline. */
const answerMs = 500;

/**
 * A signal that fires with the caller's own signal, or shortly before the caller's deadline. It fires `headStartMs`
 * earlier when the work that it guards has a deadline signal of its own. `end` clears the timer.
 */
export function createDeadlineSignal(
  { deadline, signal }: CallOptions,
  headStartMs = 0,
): { signal: AbortSignal; end(): void } {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new AppError('STORE_FETCH_FAILED', 'The store was not read in time. Try again later.')),
    deadline.getTime() - answerMs - headStartMs - Date.now(),
  );
  return {
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    end: () => clearTimeout(timer),
  };
}
