import {
  type Bucket,
  fullAfterEmptyMs,
  fullAfterTakingMs,
  intervalMs,
  isPlausible,
  mayTakeAtMs,
} from './token-bucket.ts';

/** Whether a call is taken, when the bucket will be full, and whether that time must be stored. */
export type BucketStep = { isTaken: boolean; fullAtMs: number; mustStore: boolean };

export type BucketRule = ReturnType<typeof createBucketRule>;

/** An implausible time must stay unchanged for this long before it is replaced. */
const distrustMs = 60_000;

/**
 * Decides by a process's own clock what it may take from the shared buckets.
 *
 * A time too far ahead was written by a process whose clock is ahead. While that time keeps moving, the other process
 * is making calls within the budget, and this one makes none: storing its own time would show the other a full
 * bucket. Once the time has not changed for a minute the other process has stopped, and the bucket counts as empty.
 * So when clocks disagree, the slower process makes no calls while the faster one makes some, and for a minute after
 * that. When two clocks change places, at most one bucket of calls is made in excess.
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

  /** Until when an implausible time is left unchanged; null for a plausible time. */
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

    /** How far another process's clock is ahead, judged by the times it wrote; null while all are plausible. */
    clockAheadMs(nowMs: number): number | null {
      const aheadMs = [...implausible.values()]
        .filter(({ bucket, fullAtMs }) => !isPlausible(bucket, fullAtMs, nowMs))
        .map(({ fullAtMs }) => fullAtMs - nowMs);
      return aheadMs.length === 0 ? null : Math.max(...aheadMs);
    },
  };
}

/** When a bucket is full whose first token comes back at `atMs`. */
function callLeftAtMs(bucket: Bucket, atMs: number): number {
  return atMs + (bucket.perMinute - 1) * intervalMs(bucket);
}
