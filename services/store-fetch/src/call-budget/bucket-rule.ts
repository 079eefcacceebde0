import {
  type Bucket,
  fullAfterEmptyMs,
  fullAfterTakingMs,
  intervalMs,
  isPlausible,
  mayTakeAtMs,
} from './token-bucket.ts';

/** Whether a call is taken, when the bucket will be full, and whether that has to be stored. */
export type BucketStep = { isTaken: boolean; fullAtMs: number; mustStore: boolean };

export type BucketRule = ReturnType<typeof createBucketRule>;

/** An implausible moment must stay unchanged for this long before it is replaced. */
const distrustMs = 60_000;

/**
 * What one process may take of the buckets that all share, judged by its own clock.
 *
 * A moment too far ahead was written by a clock that is ahead of this one. As long as it moves on, a process with that
 * clock is making calls, within the budget, and this process makes none: to put its own moment in its place would show
 * the other a full bucket. When it has stood still for a minute the other has stopped, and the bucket counts as empty.
 * So clocks that disagree cost the slower process its calls while the faster one makes some, and a minute once it has
 * stopped; when they change places at most one bucket's worth of calls is made in excess.
 */
export function createBucketRule() {
  const implausible = new Map<string, { bucket: Bucket; fullAtMs: number; sinceMs: number }>();

  function decide(bucket: Bucket, storedMs: number, nowMs: number, isUrgent: boolean): BucketStep {
    const distrustedUntilMs = distrust(bucket, storedMs, nowMs);
    if (distrustedUntilMs !== null) {
      if (nowMs >= distrustedUntilMs)
        return { isTaken: false, fullAtMs: fullAfterEmptyMs(bucket, nowMs), mustStore: true };
      return { isTaken: false, fullAtMs: callLeftAtMs(bucket, distrustedUntilMs), mustStore: false };
    }
    if (mayTakeAtMs(bucket, storedMs, isUrgent) > nowMs)
      return { isTaken: false, fullAtMs: storedMs, mustStore: false };
    return { isTaken: true, fullAtMs: fullAfterTakingMs(bucket, storedMs, nowMs, isUrgent), mustStore: true };
  }

  /** Until when an implausible moment is left as it is; null: it is plausible. */
  function distrust(bucket: Bucket, fullAtMs: number, nowMs: number): number | null {
    if (isPlausible(bucket, fullAtMs, nowMs)) {
      implausible.delete(bucket.id);
      return null;
    }
    const known = implausible.get(bucket.id);
    const isSame = known?.fullAtMs === fullAtMs && known.sinceMs <= nowMs;
    const sinceMs = isSame ? known.sinceMs : nowMs;
    implausible.set(bucket.id, { bucket, fullAtMs, sinceMs });
    return sinceMs + distrustMs;
  }

  return {
    decide,

    /** How far ahead of this clock another one is, judged by what it wrote; null while all is plausible. */
    clockAheadMs(nowMs: number): number | null {
      const aheadMs = [...implausible.values()]
        .filter(({ bucket, fullAtMs }) => !isPlausible(bucket, fullAtMs, nowMs))
        .map(({ fullAtMs }) => fullAtMs - nowMs);
      return aheadMs.length === 0 ? null : Math.max(...aheadMs);
    },
  };
}

/** When a bucket will be full that has a call left from `atMs` on. */
function callLeftAtMs(bucket: Bucket, atMs: number): number {
  return atMs + (bucket.perMinute - 1) * intervalMs(bucket);
}
