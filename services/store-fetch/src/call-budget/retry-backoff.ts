import type { StoreFailure } from '../sources/store-failure.ts';

const maxAttempts = 3;
const baseMs = 500;

/**
 * How long to wait after these failures of one request, the last of them just now, before the next attempt; null: there
 * is none. Full jitter: anything from 0 to 500 ms, then to 1,000 ms, so that many that failed together do not come back
 * together. A request that was refused is retried at once, from another address (`hasOtherAddress`) or not at all.
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
