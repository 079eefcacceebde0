import type { CallOptions } from '../grpc/grpc-types.ts';
import { sleep as realSleep, type Sleep } from '../jobs/sleep.ts';

/** How long work may take for a caller, in ms. */
export type DeadlineLimit = {
  /** Time that is kept for what follows, before the caller's deadline. */
  reserveMs: number;
  /** The longest time, however late the deadline is. */
  maxMs?: number;
};

type OnTimeout = {
  /** The reason of the signal when the time is up. */
  error: Error;
  /** Default: the system's timer. */
  sleep?: Sleep;
};

/** The options for a nested call, which ends early enough that the caller can still reply. */
export function shortenDeadline<Call extends Pick<CallOptions, 'deadline'>>(
  call: Call,
  { reserveMs, maxMs = Number.POSITIVE_INFINITY }: DeadlineLimit,
): Call {
  const latest = Math.min(Date.now() + maxMs, call.deadline.getTime() - reserveMs);
  return { ...call, deadline: new Date(latest) };
}

/** Runs `work` with a signal that fires when the shortened deadline has come or the caller has gone. */
export function withDeadline<Result>(
  call: Pick<CallOptions, 'deadline' | 'signal'>,
  limit: DeadlineLimit & OnTimeout,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ms = shortenDeadline(call, limit).deadline.getTime() - Date.now();
  return withTimeLimit({ ...limit, ms, signal: call.signal }, work);
}

/**
 * Runs `work` with a signal that fires after `ms`, or together with `signal`. Settles as `work` does, so `work` decides
 * what a timeout means. The signal has fired from the start when no time is left, and does not fire for a timeout once
 * the work has settled.
 */
export async function withTimeLimit<Result>(
  limit: OnTimeout & { ms: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { ms, error, signal, sleep = realSleep } = limit;
  const timeUp = new AbortController();
  const done = new AbortController();
  if (ms <= 0) timeUp.abort(error);
  else
    void sleep(ms, done.signal).then(() => {
      if (!done.signal.aborted) timeUp.abort(error);
    });
  try {
    return await work(signal ? AbortSignal.any([signal, timeUp.signal]) : timeUp.signal);
  } finally {
    done.abort();
  }
}
