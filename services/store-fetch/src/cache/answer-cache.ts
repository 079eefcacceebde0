import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** Answers of one kind, by what was asked. */
export type Shelf<Answer> = {
  /** A copy of its own, while it is still good. */
  find(key: string): Answer | undefined;
  keep(key: string, answer: Answer, until: Date): void;
};

type Kept = { packed: Uint8Array; untilMs: number };

/** What an entry takes beside its bytes, roughly: the objects that hold it, and its place in the cache. */
const overheadBytes = 400;

/**
 * Answers of stores, in memory: those asked for last, `maxBytes` at most. They are packed, which makes a page of 100
 * rows some 7 KiB instead of 30, counts exactly, and gives no two callers the same object.
 */
export function createKeptAnswers(options: { maxBytes: number; now: () => Date }) {
  const { maxBytes, now } = options;
  const cache = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ packed }, key) => packed.byteLength + 2 * key.length + overheadBytes,
  });
  return {
    shelf<Answer>(kind: string): Shelf<Answer> {
      return {
        find(key) {
          const kept = cache.get(`${kind} ${key}`);
          if (!kept) return undefined;
          if (kept.untilMs > now().getTime()) return deserialize(inflateRawSync(kept.packed)) as Answer;
          cache.delete(`${kind} ${key}`);
          return undefined;
        },
        keep(key, answer, until) {
          if (until <= now()) return;
          cache.set(`${kind} ${key}`, { packed: pack(answer), untilMs: until.getTime() });
        },
      };
    },

    /** What is held of answers that are still good or not thrown away yet, in bytes. */
    heldBytes: () => cache.calculatedSize,
  };
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

/** In memory of its own: what zlib gives is a view of 16 KiB, and a small Buffer one of a pool, which would stay too. */
export function pack(answer: unknown): Uint8Array {
  // Level 1: most of the saving for a third of the time.
  return new Uint8Array(deflateRawSync(serialize(answer), { level: 1 }));
}
