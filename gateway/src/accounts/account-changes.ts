import type { KeyCache } from './key-cache.ts';

/** With the time of the query, a change is seen within a second. */
const readEveryMs = 900;
/** A change is read again and again for so long: the clocks of the gateways may differ by as much. */
export const changesAreReadForMs = 5 * 60_000;
/** With more changes every key is looked up again. */
const maxChanges = 1000;

/**
 * Evicts from the cache what other processes change. Reads the accounts that changed lately, at most once a second and
 * only while keys are looked up. A changed account is evicted at every reading until its change is old: an earlier lookup
 * may still end with the old account.
 * @param deps.findSince the ids of the accounts that changed since then, `limit` at most
 */
export function createAccountChanges(deps: {
  findSince: (since: Date, limit: number) => Promise<string[]>;
  cache: Pick<KeyCache<never>, 'evict' | 'clear'>;
  now: () => Date;
  monotonicMs: () => number;
}) {
  const { findSince, cache, now, monotonicMs } = deps;
  let readMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedMs = monotonicMs();
    // The time of a change comes from a clock that may be late, so the time since the last reading is added. After a long
    // pause, what was cached before it has expired.
    const unreadMs = Math.min(startedMs - readMs, changesAreReadForMs);
    const ids = await findSince(new Date(now().getTime() - changesAreReadForMs - unreadMs), maxChanges);
    if (ids.length === maxChanges) cache.clear();
    else if (ids.length > 0) cache.evict(ids);
    readMs = startedMs;
  }

  return {
    /** Resolves when every change is seen that is older than a second. */
    async seen(): Promise<void> {
      if (monotonicMs() < readMs + readEveryMs) return;
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    },
  };
}
