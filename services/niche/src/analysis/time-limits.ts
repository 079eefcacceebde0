import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

/** Longer analyses would make others wait too long. */
const maxReadMs = 180_000;
/** In less time too few terms are read to tell niches apart, whatever the caller's deadline. */
const minReadMs = 60_000;
/** For finishing open reads, clustering, saving and replying. */
const reservedMs = 15_000;

/**
 * How long an analysis may read from its start, in ms: 180 s, or less so that its first caller still gets the reply,
 * but at least 60 s.
 */
export function readTimeMs(callerMsLeft: number): number {
  return Math.max(minReadMs, Math.min(maxReadMs, callerMsLeft - reservedMs));
}

/** Runs `work` with a signal that fires after `ms` (with `timeoutError` as its reason) or together with `signal`. */
export async function withTimeLimit<Result>(
  limit: { ms: number; timeoutError: Error; sleep: Sleep; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const timeout = new AbortController();
  const ms = Math.max(0, limit.ms);
  const waiting = limit.sleep(ms, done.signal).then(() => timeout.abort(limit.timeoutError));
  try {
    return await work(AbortSignal.any([limit.signal, timeout.signal]));
  } finally {
    done.abort();
    await waiting;
  }
}
