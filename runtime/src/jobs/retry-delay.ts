import { startOfNextDay } from '../day.ts';

const firstMs = 60_000;
const longestMs = 30 * 60_000;
/** Up to this part of a delay is left off at random, so that what failed together is not tried again together. */
const jitter = 0.2;

/** What would be tried again after midnight is tried once more so long before it, and a part of it earlier. */
const lastTryMs = 2 * 60_000;

/**
 * When something is read again that could not be read `failures` times (1 or more) one after the other: after its
 * delay, and once more on the same UTC day when there is the time. `random` gives 0 to 1.
 */
export function retryAt(now: Date, failures: number, random: () => number): Date {
  const at = now.getTime() + retryDelayMs(failures, random);
  const lastTry = startOfNextDay(now).getTime() - lastTryMs * (1 + random());
  const isLastTryAhead = now.getTime() + firstMs <= lastTry;
  return new Date(isLastTryAhead ? Math.min(at, lastTry) : at);
}

/**
 * How long to wait before the store is asked again for something that could not be read `failures` times (1 or more)
 * one after the other: a minute, doubled up to half an hour. In milliseconds. `random` gives 0 to 1.
 */
export function retryDelayMs(failures: number, random: () => number): number {
  const delay = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(delay * (1 - jitter * random()));
}
