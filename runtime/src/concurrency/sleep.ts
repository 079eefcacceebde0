/** Waits until the time has passed or the signal fires; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Uses a real timer, which does not keep the process alive. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener('abort', end, { once: true });
  });
