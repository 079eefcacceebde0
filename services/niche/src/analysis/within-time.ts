import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

/** Runs `work` under a signal that fires when `ms` are over, with `late` as its reason, or when `signal` does. */
export async function withinTime<Result>(
  limit: { ms: number; late: Error; sleep: Sleep; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const isDone = new AbortController();
  const isOver = new AbortController();
  const ms = Math.max(0, limit.ms);
  const waiting = limit.sleep(ms, isDone.signal).then(() => isOver.abort(limit.late));
  try {
    return await work(AbortSignal.any([limit.signal, isOver.signal]));
  } finally {
    isDone.abort();
    await waiting;
  }
}
