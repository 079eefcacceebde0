import type { CallOptions } from '../grpc/grpc-types.ts';
import type { Sleep } from './sleep.ts';

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
  limit: DeadlineLimit,
): Call {
  return { ...call, deadline: new Date(Date.now() + msLeft(call, limit)) };
}

function msLeft(
  { deadline }: Pick<CallOptions, 'deadline'>,
  { reserveMs, maxMs = Number.POSITIVE_INFINITY }: DeadlineLimit,
): number {
  return Math.min(maxMs, deadline.getTime() - reserveMs - Date.now());
}

/** Runs `work` with a signal that fires when the shortened deadline has come or the caller has gone. */
export function withDeadline<Result>(
  call: Pick<CallOptions, 'deadline' | 'signal'>,
  limit: DeadlineLimit & OnTimeout,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // The call is not copied: the context of a served call creates its log when it is read.
  return withTimeLimit({ ...limit, ms: msLeft(call, limit), signal: call.signal }, work);
}

/**
 * Runs `work` with a signal that fires after `ms`, or together with `signal`. Settles as `work` does, so `work` decides
 * what a timeout means. The signal has fired from the start when no time is left, and does not fire once the work has
 * settled.
 */
export async function withTimeLimit<Result>(
  limit: OnTimeout & { ms: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { ms, error, signal, sleep } = limit;
  // One controller: `AbortSignal.any` and an abort without a reason cost more than most work that is limited.
  const limited = new AbortController();
  const follow = () => limited.abort(signal?.reason);
  if (signal?.aborted) follow();
  else if (ms <= 0) limited.abort(error);
  const stopTimer = limited.signal.aborted ? () => {} : startTimer(ms, () => limited.abort(error), sleep);
  signal?.addEventListener('abort', follow, { once: true });
  try {
    return await work(limited.signal);
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', follow);
  }
}

/**
 * Calls `onTime` after `ms`, unless the returned function is called before. Does not keep the process alive. Without an
 * injected `sleep` it is a plain timer, which needs no abort controller.
 */
function startTimer(ms: number, onTime: () => void, sleep: Sleep | undefined): () => void {
  if (!sleep) {
    const timer = setTimeout(onTime, ms).unref();
    return () => clearTimeout(timer);
  }
  const stopped = new AbortController();
  void sleep(ms, stopped.signal).then(() => {
    if (!stopped.signal.aborted) onTime();
  });
  return () => stopped.abort();
}
