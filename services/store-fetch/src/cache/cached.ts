import { utcDay } from '@shelfwise/runtime/day';
import type { z } from 'zod';
import type { ReadOptions } from '../source.ts';
import type { AnswerCache, CachedKind } from './answer-cache.ts';
import type { SharedReadings } from './shared-readings.ts';

export type CachedDeps = {
  cache: AnswerCache;
  readings: SharedReadings;
  now: () => Date;
  onCacheLookup(kind: CachedKind, isHit: boolean): void;
};

/**
 * A read with a cache: the cached answer if it is usable, else one that another copy has shared, else the store's.
 * Equal requests that wait share one answer. A failure is never cached.
 */
export function cached<Query, Answer>(
  { cache, readings, now, onCacheLookup }: CachedDeps,
  read: {
    kind: CachedKind;
    schema: z.ZodType<Answer>;
    /** Requests with the same key share a cached answer. */
    keyOf: (query: Query) => readonly string[];
    /** Requests with the same key and different variants do not share a read. */
    variantOf?: (query: Query) => number | string;
    isUsable?: (answer: Answer, query: Query) => boolean;
    read: (query: Query, options: ReadOptions) => Promise<Answer>;
    /** Null: the answer is not cached. */
    expiresAt: (answer: Answer) => Date | null;
  },
): (query: Query, options: ReadOptions) => Promise<Answer> {
  const { kind, schema, keyOf, variantOf = () => 0, isUsable = () => true, expiresAt } = read;
  const answers = cache.section(kind, schema);
  return async (query, options) => {
    const key = JSON.stringify(keyOf(query));
    const found = answers.get(key);
    const isHit = found !== undefined && isUsable(found, query);
    onCacheLookup(kind, isHit);
    if (isHit) return found;
    // The day is part of the key, because a read that started yesterday returns yesterday's answer.
    const readingKey = `${kind} ${utcDay(now())} ${variantOf(query)} ${key}`;
    const { answer } = await readings.read(
      readingKey,
      options,
      async (forAll) => {
        const shared = answers.findShared ? await answers.findShared(key) : undefined;
        if (shared !== undefined && isUsable(shared, query)) return { answer: shared, isNew: false };
        return { answer: await read.read(query, forAll), isNew: true };
      },
      (result) => {
        const until = result.isNew ? expiresAt(result.answer) : null;
        if (until) answers.set(key, result.answer, until);
      },
    );
    return answer;
  };
}
