import { AppError } from '@shelfwise/runtime/errors';

export type Semaphore = ReturnType<typeof createSemaphore>;

/**
 * Lets `limit` callers run at the same time. Up to `maxWaiting` others wait in a queue, first come first served; more
 * are refused.
 */
export function createSemaphore({ limit, maxWaiting }: { limit: number; maxWaiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        queue.splice(queue.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.push(enter);
    });
  }

  /** Passes the slot to the first caller in the queue, so `running` changes only when the queue is empty. */
  function release(): void {
    const next = queue.shift();
    if (next) next();
    else running--;
  }

  return {
    running: () => running,
    waiting: () => queue.length,

    /**
     * Waits for a slot. Returns the function that releases it; call it once.
     * @throws SERVICE_UNAVAILABLE when the queue is full; the signal's reason when it fires
     */
    async acquire(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (running < limit) running++;
      else if (queue.length < maxWaiting) await wait(signal);
      else throw queueFull(queue.length);
      return release;
    },
  };
}

function queueFull(waiting: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `${waiting} niche analyses of this store are already waiting. Try again in a few minutes.`,
  );
}
