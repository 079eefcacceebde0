import { createBucketRule } from '../src/budget/bucket-rule.ts';
import type { Buckets } from '../src/budget/buckets.ts';
import type { Clock } from '../src/store-health/clock.ts';

/** Buckets in memory, and when each call was taken. */
export function createMemoryBuckets(clock: Pick<Clock, 'now'>) {
  const fullAt = new Map<string, number>();
  const taken: { id: string; isUrgent: boolean; atMs: number }[] = [];
  const state = { failure: null as Error | null, takeCount: 0, duringTake: () => {} };
  const rule = createBucketRule();
  const buckets: Buckets = {
    async take(bucket, isUrgent) {
      state.takeCount++;
      await Promise.resolve();
      state.duringTake();
      if (state.failure) throw state.failure;
      const atMs = clock.now().getTime();
      const { isTaken, fullAtMs, mustStore } = rule.decide(
        bucket,
        fullAt.get(bucket.id) ?? atMs,
        atMs,
        isUrgent,
      );
      if (isTaken) taken.push({ id: bucket.id, isUrgent, atMs });
      if (mustStore) fullAt.set(bucket.id, fullAtMs);
      return { isTaken, fullAt: new Date(fullAtMs) };
    },
  };
  return { ...buckets, taken, state };
}
