import { createBatches } from '@shelfwise/runtime/concurrency/batches';

/** At most this many queries at once, each for at most this many keys. */
const limits = { queries: 2, keysPerQuery: 100 };

/**
 * Looks up keys with few queries at once; the next query takes many of the keys that wait. A flood of invalid keys makes
 * queries larger, not more, and a valid key among them waits for a few queries only.
 * @param find the values of these hashes; a hash without a value is absent
 */
export function createKeyLookups<Found>(
  find: (hashes: string[]) => Promise<ReadonlyMap<string, Found>>,
): (hash: string) => Promise<Found | null> {
  return createBatches({
    async run(hashes: string[]) {
      const found = await find([...new Set(hashes)]);
      return hashes.map((hash) => found.get(hash) ?? null);
    },
    maxItems: limits.keysPerQuery,
    maxRunning: limits.queries,
  });
}
