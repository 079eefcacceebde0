/** Caches lookups of key hashes for one second, including hashes that belong to no account. */
export type KeyCache<Found> = {
  get(hash: string, load: () => Promise<Found>): Promise<Found>;
  /** Evicts every key. Called after every change of an account. */
  clear(): void;
};

/** Another gateway process may accept a replaced key for this long. */
const ttlMs = 1000;
const maxKeys = 10_000;
/** Unknown keys are kept apart: a flood of them evicts no known one. */
const maxUnknownKeys = 1000;

/** Bounded: when it is full, the oldest entry is evicted. A failed lookup is not cached; `null` is an unknown key. */
export function createKeyCache<Found>(deps: { monotonicMs: () => number }): KeyCache<Found> {
  type Entry = { found: Promise<Found>; expiresAtMs: number };
  const entries = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();

  return {
    clear() {
      entries.clear();
      unknown.clear();
    },
    get(hash, load) {
      const nowMs = deps.monotonicMs();
      const cached = entries.get(hash) ?? unknown.get(hash);
      if (cached && nowMs < cached.expiresAtMs) return cached.found;

      const entry = { found: load(), expiresAtMs: nowMs + ttlMs };
      store(entries, hash, entry, maxKeys);
      entry.found.then(
        (found) => {
          if (found !== null || entries.get(hash) !== entry) return;
          entries.delete(hash);
          store(unknown, hash, entry, maxUnknownKeys);
        },
        () => {
          if (entries.get(hash) === entry) entries.delete(hash);
        },
      );
      return entry.found;
    },
  };
}

/** Stores the entry as the newest one, and evicts the oldest above `max`. */
function store<Entry>(entries: Map<string, Entry>, hash: string, entry: Entry, max: number): void {
  entries.delete(hash);
  entries.set(hash, entry);
  const [oldest] = entries.keys();
  if (entries.size > max && oldest !== undefined) entries.delete(oldest);
}
