/** Remembers for a second which account a key's hash belongs to, or that it belongs to none. */
export type KeyCache<Found> = {
  get(hash: string, load: () => Promise<Found>): Promise<Found>;
  /** Forgets every key: one has changed. */
  clear(): void;
};

/** Another gateway process may go on with a replaced key for this long. */
const keptMs = 1000;
const maxKeys = 10_000;

/** Bounded: when it is full the oldest entry goes. A look-up that fails is not kept. */
export function createKeyCache<Found>(deps: { monotonicMs: () => number }): KeyCache<Found> {
  const entries = new Map<string, { found: Promise<Found>; untilMs: number }>();

  return {
    clear: () => entries.clear(),
    get(hash, load) {
      const nowMs = deps.monotonicMs();
      const known = entries.get(hash);
      if (known && nowMs < known.untilMs) return known.found;

      const entry = { found: load(), untilMs: nowMs + keptMs };
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
