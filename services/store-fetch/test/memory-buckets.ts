import type { Buckets } from '../src/politeness/buckets.ts';
import type { Clock } from '../src/politeness/clock.ts';
import { believableFullAtMs, fullAfterTakingMs, mayTakeAtMs } from '../src/politeness/token-bucket.ts';

/** Buckets in memory, and when each call was taken. */
export function createMemoryBuckets(clock: Pick<Clock, 'now'>) {
  const fullAt = new Map<string, number>();
  const taken: { id: string; isUrgent: boolean; atMs: number }[] = [];
  const state = { failure: null as Error | null, asked: 0, whileAsked: () => {} };
  const buckets: Buckets = {
    async take(bucket, isUrgent) {
      state.asked++;
      await Promise.resolve();
      state.whileAsked();
      if (state.failure) throw state.failure;
      const nowMs = clock.now().getTime();
      const fullAtMs = believableFullAtMs(fullAt.get(bucket.id), nowMs);
      if (mayTakeAtMs(bucket, fullAtMs, isUrgent) > nowMs)
        return { isTaken: false, fullAt: new Date(fullAtMs) };
      const next = fullAfterTakingMs(bucket, fullAtMs, nowMs);
      fullAt.set(bucket.id, next);
      taken.push({ id: bucket.id, isUrgent, atMs: nowMs });
      return { isTaken: true, fullAt: new Date(next) };
    },
  };
  return { ...buckets, taken, state };
}
