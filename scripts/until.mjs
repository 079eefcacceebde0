// What the checks wait for.
import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 250;
/** A way out after a minute, far more than a busy machine needs. */
const maxTries = 240;

/**
 * Tries until the result is neither null nor false, and returns it; null after a minute.
 * @template Result
 * @param {() => Promise<Result | null | false>} attempt
 * @returns {Promise<Result | null>}
 */
export async function until(attempt) {
  for (let tries = 0; tries < maxTries; tries++) {
    const result = await attempt();
    if (result !== null && result !== false) return result;
    await sleep(everyMs);
  }
  return null;
}
