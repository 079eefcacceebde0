/** At most this many queries at once, each for at most this many keys. */
const limits = { queries: 2, keysPerQuery: 100 };

type Waiting<Found> = { resolve(found: Found | null): void; reject(error: unknown): void };

/**
 * Looks up keys with few queries at once. While they run, further keys wait, and the next query takes many of them: a
 * flood of invalid keys makes queries larger, not more, and a valid key among them waits for a few queries only.
 * @param find the values of these hashes; a hash without a value is absent
 */
export function createKeyLookups<Found>(
  find: (hashes: string[]) => Promise<ReadonlyMap<string, Found>>,
): (hash: string) => Promise<Found | null> {
  const waiting: [hash: string, Waiting<Found>][] = [];
  let running = 0;

  async function runNext(): Promise<void> {
    running++;
    const batch = waiting.splice(0, limits.keysPerQuery);
    try {
      const found = await find([...new Set(batch.map(([hash]) => hash))]);
      for (const [hash, { resolve }] of batch) resolve(found.get(hash) ?? null);
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
    running--;
    if (waiting.length > 0) void runNext();
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      waiting.push([hash, { resolve, reject }]);
      if (running < limits.queries) void runNext();
    });
}
