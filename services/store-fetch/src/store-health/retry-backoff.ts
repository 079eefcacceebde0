import type { StoreFailure } from './store-failure.ts';

const maxAttempts = 3;
const baseMs = 500;

/**
 * How long to wait after these failures of one request before its next attempt; null when there is no further
 * attempt. Full jitter, 0 to 500 ms and then 0 to 1,000 ms, so that requests that failed together do not retry
 * together. A refused request is retried immediately through another address (`hasOtherAddress`), or not at all.
 * @param failures in order; the last one has just occurred
 * @param random 0 to 1
 */
export function retryBackoffMs(
  failures: readonly StoreFailure[],
  hasOtherAddress: boolean,
  random: () => number,
): number | null {
  const last = failures.at(-1);
  if (!last || last.isPermanent || failures.length >= maxAttempts) return null;
  switch (last.kind) {
    case 'error':
    case 'timeout':
    case 'unreachable':
      return random() * baseMs * 2 ** (failures.length - 1);
    case 'malformed':
      return failures.length === 1 ? random() * baseMs : null;
    case 'blocked':
    case 'captcha':
      return hasOtherAddress ? 0 : null;
    default:
      return null;
  }
}
