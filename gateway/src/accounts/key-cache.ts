/** Caches the accounts of key hashes, and hashes that belong to no account (`null`). */
export type KeyCache<Found> = {
  get(hash: string, load: () => Promise<Found | null>): Promise<Found | null>;
  /** Whether the last lookup of this hash has found an account, even an evicted one: a hint, which admits no call. */
  hasFound(hash: string): boolean;
  /** Called after every change of accounts; their keys, running lookups and unknown keys are looked up again. */
  evict(accountIds: readonly string[]): void;
  /** Evicts every key. Called when it is not known what a change has done. */
  clear(): void;
};

const maxKeys = 10_000;
/** Unknown keys are kept apart: a flood of them evicts no known one. */
const maxUnknownKeys = 1000;

type Entry<Found> = { found: Found | null; expiresAtMs: number };

/**
 * Bounded: when it is full, the key whose last call is the longest ago is evicted. A failed lookup is not cached.
 * @param deps.maxAgeMs how old an answer may be: a change that the cache is not told of takes effect after this time;
 *   Infinity: the cache is told of every change
 */
export function createKeyCache<Found extends { id: string }>(deps: {
  monotonicMs: () => number;
  maxAgeMs: number;
}): KeyCache<Found> {
  /** Ordered by last call. */
  const known = new Map<string, Entry<Found>>();
  const unknown = new Map<string, Entry<Found>>();
  const running = new Map<string, Promise<Found | null>>();

  function read(entries: Map<string, Entry<Found>>, hash: string): Entry<Found> | undefined {
    const entry = entries.get(hash);
    if (!entry || deps.monotonicMs() >= entry.expiresAtMs) return undefined;
    entries.delete(hash);
    entries.set(hash, entry);
    return entry;
  }

  async function lookUp(hash: string, load: () => Promise<Found | null>): Promise<Found | null> {
    const expiresAtMs = deps.monotonicMs() + deps.maxAgeMs;
    const lookup = load();
    running.set(hash, lookup);
    // After a change of an account, what an earlier lookup finds may be old: it is no longer in `running`.
    const isCurrent = () => running.get(hash) === lookup;
    try {
      const found = await lookup;
      if (isCurrent()) known.delete(hash);
      if (isCurrent() && found) store(known, hash, { found, expiresAtMs }, maxKeys);
      else if (isCurrent()) store(unknown, hash, { found, expiresAtMs }, maxUnknownKeys);
      return found;
    } finally {
      if (isCurrent()) running.delete(hash);
    }
  }

  function evictUncertain(): void {
    running.clear();
    unknown.clear();
  }

  return {
    async get(hash, load) {
      const cached = read(known, hash) ?? read(unknown, hash);
      if (cached) return cached.found;
      return running.get(hash) ?? lookUp(hash, load);
    },
    hasFound: (hash) => known.has(hash),
    evict(accountIds) {
      evictUncertain();
      const changed = new Set(accountIds);
      for (const entry of known.values()) if (entry.found && changed.has(entry.found.id)) expire(entry);
    },
    clear() {
      evictUncertain();
      known.forEach(expire);
    },
  };
}

/** It stays as the hint that the key was found. */
function expire(entry: Entry<unknown>): void {
  entry.expiresAtMs = Number.NEGATIVE_INFINITY;
}

/** Stores the entry as the newest one, and evicts the oldest above `max`. */
function store<Entry>(entries: Map<string, Entry>, hash: string, entry: Entry, max: number): void {
  entries.set(hash, entry);
  const [oldest] = entries.keys();
  if (entries.size > max && oldest !== undefined) entries.delete(oldest);
}
