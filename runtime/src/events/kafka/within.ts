import { withTimeLimit } from '../../concurrency/deadline.ts';
import { untilAborted } from '../../concurrency/until-aborted.ts';

/** The result of a call that cannot be canceled. Rejects after `ms` or when the signal fires, and then ignores it. */
export function within<Result>(
  ms: number,
  what: string,
  call: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const error = new Error(`${what} took more than ${ms / 1000} s`);
  return withTimeLimit({ ms, error, signal }, (limited) => untilAborted(call, limited));
}
