/**
 * Makes a call every `everyMs`, whether earlier ones have ended or not. Timers of a busy process are late: calls that are due are made
 * together. `stop` waits for those that are open.
 */
export function startOpenLoop(everyMs: number, call: (index: number) => Promise<unknown>) {
  const pending = new Set<Promise<unknown>>();
  const startedAt = performance.now();
  let made = 0;
  const timer = setInterval(() => {
    for (; made * everyMs <= performance.now() - startedAt; made++) {
      const one = call(made).finally(() => pending.delete(one));
      pending.add(one);
    }
  }, everyMs);
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}
