import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** Answers of one kind, by what was asked. */
export type Shelf<Answer> = {
  /** A copy of its own, while it is still good. */
  find(key: string): Answer | undefined;
  keep(key: string, answer: Answer, until: Date): void;
};

type Kept = { packed: Buffer; untilMs: number };

/** What an entry takes beside its bytes, roughly. */
const overheadBytes = 200;

/**
 * Answers of stores, in memory: those asked for last, `maxBytes` at most. They are packed, which makes a page of 100
 * rows some 6 KiB instead of 30, counts exactly, and gives no two callers the same object.
 */
export function createKeptAnswers(options: { maxBytes: number; now: () => Date }) {
  const { maxBytes, now } = options;
  const cache = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ packed }, key) => packed.length + 2 * key.length + overheadBytes,
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
          // Level 1: most of the saving for a third of the time.
          const packed = deflateRawSync(serialize(answer), { level: 1 });
          cache.set(`${kind} ${key}`, { packed, untilMs: until.getTime() });
        },
      };
    },
  };
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;
