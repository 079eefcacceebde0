import { ApiError } from './api.ts';

/** How often one call is repeated because too many came before it. */
const maxWaits = 5;

export const waitSeconds = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * Makes a call. When it comes too soon for the limits of the account, it waits as long as the answer says.
 * @throws what the call throws otherwise
 */
export async function callPatiently<Answer>(
  call: () => Promise<Answer>,
  wait = waitSeconds,
): Promise<Answer> {
  for (let waits = 0; ; waits++)
    try {
      return await call();
    } catch (error) {
      const isTooSoon = error instanceof ApiError && error.code === 'RATE_LIMITED';
      if (!isTooSoon || error.retryAfterSeconds === null || waits === maxWaits) throw error;
      await wait(error.retryAfterSeconds);
    }
}

/**
 * Makes a call for each item, one after the other, each as `callPatiently`.
 * @param onDone called with the number of items that are done
 * @throws what a call throws otherwise; the items before it are done
 */
export async function callEach<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
  onDone: (done: number) => void,
  wait = waitSeconds,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    await callPatiently(() => call(item), wait);
    onDone(index + 1);
  }
}
