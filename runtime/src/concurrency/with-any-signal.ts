/**
 * Runs `work` with a signal that fires with the first of `signals`, and its reason, until the work has settled. Unlike
 * `AbortSignal.any` it leaves nothing on a signal that outlives the work, such as that of a process.
 */
export async function withAnySignal<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const fired = signals.find(({ aborted }) => aborted);
  if (fired) return work(fired);
  const any = new AbortController();
  const followers = signals.map((signal) => ({ signal, follow: () => any.abort(signal.reason) }));
  for (const { signal, follow } of followers) signal.addEventListener('abort', follow, { once: true });
  try {
    return await work(any.signal);
  } finally {
    for (const { signal, follow } of followers) signal.removeEventListener('abort', follow);
  }
}
