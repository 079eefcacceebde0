import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';

/** Whoever waits is answered so long before his deadline. */
const answerMs = 500;

/**
 * A signal that fires with the caller's own, and shortly before his deadline; so much earlier still as `headStartMs`, where
 * what it begins has patience of its own. `end` lets go of the timer.
 */
export function limitPatience(
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
