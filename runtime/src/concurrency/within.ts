import { withTimeLimit } from './deadline.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * The result of a call that cannot be canceled. Rejects after `ms` or when the signal fires, and then ignores the call.
 * @param what named in the error
 */
export function within<Result>(
  ms: number,
  what: string,
  call: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const error = new Error(`${what} took more than ${ms / 1000} s`);
  return withTimeLimit({ ms, error, signal }, (limited) => untilAborted(call, limited));
}
