import {
  type Bucket,
  fullAfterEmptyMs,
  fullAfterTakingMs,
  intervalMs,
  isBelievable,
  mayTakeAtMs,
} from './token-bucket.ts';

/** Whether a call is taken, when the bucket will be full, and whether that is news to whoever keeps it. */
export type BucketStep = { isTaken: boolean; fullAtMs: number; isNews: boolean };

export type BucketRule = ReturnType<typeof createBucketRule>;

/** For so long a moment that cannot be believed must stay as it is before it is replaced. */
const doubtMs = 60_000;

/**
 * What one process may take of the buckets that all share, judged by its own clock.
 *
 * A moment too far ahead was written by a clock that is ahead of this one. As long as it moves on, somebody with that
 * clock is making calls, by the budget, and this process makes none: to put its own moment in its place would show the
 * other a full bucket. When it has stood still for a minute nobody is, and the bucket counts as empty. So clocks that
 * disagree cost the slower process its calls while the faster one makes some, and a minute once it has stopped; when
 * they change places at most one bucket's worth of calls is made in excess.
 */
export function createBucketRule() {
  const doubts = new Map<string, { bucket: Bucket; fullAtMs: number; sinceMs: number }>();

  function decide(bucket: Bucket, keptMs: number, nowMs: number, isUrgent: boolean): BucketStep {
    const doubtEndsMs = doubt(bucket, keptMs, nowMs);
    if (doubtEndsMs !== null) {
      if (nowMs >= doubtEndsMs)
        return { isTaken: false, fullAtMs: fullAfterEmptyMs(bucket, nowMs), isNews: true };
      return { isTaken: false, fullAtMs: callLeftAtMs(bucket, doubtEndsMs), isNews: false };
    }
    if (mayTakeAtMs(bucket, keptMs, isUrgent) > nowMs)
      return { isTaken: false, fullAtMs: keptMs, isNews: false };
    return { isTaken: true, fullAtMs: fullAfterTakingMs(bucket, keptMs, nowMs, isUrgent), isNews: true };
  }

  /** Until when a moment is left as it is although it cannot be believed; null: it can. */
  function doubt(bucket: Bucket, fullAtMs: number, nowMs: number): number | null {
    if (isBelievable(bucket, fullAtMs, nowMs)) {
      doubts.delete(bucket.id);
      return null;
    }
    const known = doubts.get(bucket.id);
    const isSame = known?.fullAtMs === fullAtMs && known.sinceMs <= nowMs;
    const sinceMs = isSame ? known.sinceMs : nowMs;
    doubts.set(bucket.id, { bucket, fullAtMs, sinceMs });
    return sinceMs + doubtMs;
  }

  return {
    decide,

    /** How far ahead of this clock another one is, judged by what it wrote; null while all can be believed. */
    clockAheadMs(nowMs: number): number | null {
      const aheadMs = [...doubts.values()]
        .filter(({ bucket, fullAtMs }) => !isBelievable(bucket, fullAtMs, nowMs))
        .map(({ fullAtMs }) => fullAtMs - nowMs);
      return aheadMs.length === 0 ? null : Math.max(...aheadMs);
    },
  };
}

/** When a bucket is full of which one call may be taken from `atMs` on. */
function callLeftAtMs(bucket: Bucket, atMs: number): number {
  return atMs + (bucket.perMinute - 1) * intervalMs(bucket);
}
