import type { StoreFailure } from '../sources/store-failure.ts';

const tries = 3;
const baseMs = 500;

/**
 * How long to wait after these failures of one question, the last of them just now, before it is asked once more; null:
 * not again. Full jitter: anything from 0 to 500 ms, then to 1,000 ms, so that many that failed together do not come
 * back together. A page that was refused is asked for at once, of another address (`hasOther`) or not at all.
 * @param random 0 to 1
 */
export function retryPauseMs(
  failures: readonly StoreFailure[],
  hasOther: boolean,
  random: () => number,
): number | null {
  const last = failures.at(-1);
  if (!last || last.isLasting || failures.length >= tries) return null;
  switch (last.kind) {
    case 'error':
    case 'silence':
    case 'unreachable':
      return random() * baseMs * 2 ** (failures.length - 1);
    case 'garbage':
      return failures.length === 1 ? random() * baseMs : null;
    case 'blocked':
    case 'captcha':
      return hasOther ? 0 : null;
    default:
      return null;
  }
}
