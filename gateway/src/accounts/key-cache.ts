/** Caches lookups of key hashes for one second, including hashes that belong to no account. */
export type KeyCache<Found> = {
  get(hash: string, load: () => Promise<Found>): Promise<Found>;
  /** Evicts every key. Called after every change of an account. */
  clear(): void;
};

/** Another gateway process may accept a replaced key for this long. */
const ttlMs = 1000;
const maxKeys = 10_000;

/** Bounded: when it is full, the oldest entry is evicted. A failed lookup is not cached. */
export function createKeyCache<Found>(deps: { monotonicMs: () => number }): KeyCache<Found> {
  const entries = new Map<string, { found: Promise<Found>; expiresAtMs: number }>();

  return {
    clear: () => entries.clear(),
    get(hash, load) {
      const nowMs = deps.monotonicMs();
      const cached = entries.get(hash);
      if (cached && nowMs < cached.expiresAtMs) return cached.found;

      const entry = { found: load(), expiresAtMs: nowMs + ttlMs };
      entries.delete(hash);
      entries.set(hash, entry);
      const [oldest] = entries.keys();
      if (entries.size > maxKeys && oldest !== undefined) entries.delete(oldest);
      entry.found.catch(() => {
        if (entries.get(hash) === entry) entries.delete(hash);
      });
      return entry.found;
    },
  };
}
