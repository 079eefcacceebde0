import { ApiError } from './api.ts';

/** How often one call is repeated because too many came before it. */
const maxWaits = 5;

const waitSeconds = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * Makes a call for each item, one after the other. One that comes too soon for the limits of the account waits as long as the
 * answer says.
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
    for (let waits = 0; ; waits++)
      try {
        await call(item);
        break;
      } catch (error) {
        const isTooSoon = error instanceof ApiError && error.code === 'RATE_LIMITED';
        if (!isTooSoon || error.retryAfterSeconds === null || waits === maxWaits) throw error;
        await wait(error.retryAfterSeconds);
      }
    onDone(index + 1);
  }
}
