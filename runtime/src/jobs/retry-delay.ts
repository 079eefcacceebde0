import { startOfNextDay } from '../day.ts';

/** The first delay, and the one that further doubling does not exceed. */
export type RetryDelays = { firstMs: number; longestMs: number };

const usualDelays: RetryDelays = { firstMs: 60_000, longestMs: 30 * 60_000 };
/** Up to this share of a delay is subtracted at random, so that what failed together is not retried together. */
const jitter = 0.2;

/** A retry that would come after midnight is moved to this long before midnight, or up to twice as long. */
const lastTryMs = 2 * 60_000;

/**
 * The time of the next attempt after `failures` (1 or more) consecutive failures: after the delay, but once more on
 * the same UTC day if there is time. `random` returns 0 to 1.
 */
export function retryAt(now: Date, failures: number, random: () => number): Date {
  const at = now.getTime() + retryDelayMs(failures, random);
  const lastTry = startOfNextDay(now).getTime() - lastTryMs * (1 + random());
  const isLastTryAhead = now.getTime() + usualDelays.firstMs <= lastTry;
  return new Date(isLastTryAhead ? Math.min(at, lastTry) : at);
}

/**
 * The delay in milliseconds after `failures` (1 or more) consecutive failures: a minute, doubled up to half an hour,
 * unless other delays are given. `random` returns 0 to 1, and with 1 the delay is a fifth shorter.
 */
export function retryDelayMs(
  failures: number,
  random: () => number,
  { firstMs, longestMs }: RetryDelays = usualDelays,
): number {
  const delay = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(delay * (1 - jitter * random()));
}
