import { AppError } from '@shelfwise/runtime/errors';
import { type Bucket, fullAfterTakingMs, isPlausible, mayTakeAtMs } from '../budget/token-bucket.ts';

/** Of this process. Apart from the budgets of the stores: no icon delays a rank. */
export const imageBudget: Bucket = { id: 'icons', perMinute: 120 };
/** Calls at the same time. */
export const maxRunning = 4;
/** Calls that wait for others: a screen of icons for each of a few readers. */
export const maxWaiting = 100;

/** Created once, because pages ask for many icons. */
const tooMany = new AppError('STORE_FETCH_FAILED', 'Too many icons are being read. Try again in a minute.');

/** Runs calls of image servers, few at a time, in the order of arrival. */
export function createImageCalls(now: () => Date) {
  let fullAtMs = 0;
  let running = 0;
  const waiting = new Set<() => void>();

  /** @throws STORE_FETCH_FAILED while the budget is spent */
  function takeToken(): void {
    const nowMs = now().getTime();
    // The clock was set back.
    if (!isPlausible(imageBudget, fullAtMs, nowMs)) fullAtMs = nowMs;
    if (mayTakeAtMs(imageBudget, fullAtMs, true) > nowMs) throw tooMany;
    fullAtMs = fullAfterTakingMs(imageBudget, fullAtMs, nowMs, true);
  }

  async function takeSlot(signal: AbortSignal): Promise<void> {
    if (running < maxRunning) {
      running++;
      return;
    }
    if (waiting.size >= maxWaiting) throw tooMany;
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(start);
    });
  }

  /** The next call takes the slot over. */
  function freeSlot(): void {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    /**
     * @throws STORE_FETCH_FAILED when the budget is spent, or too many calls wait
     * @throws the reason of the signal when it aborts before the call starts
     */
    async run<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
      signal.throwIfAborted();
      await takeSlot(signal);
      try {
        takeToken();
        return await call();
      } finally {
        freeSlot();
      }
    },
  };
}
