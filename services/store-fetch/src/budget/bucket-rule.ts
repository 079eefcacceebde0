import {
  type Bucket,
  fullAfterEmptyMs,
  fullAfterTakingMs,
  intervalMs,
  isPlausible,
  mayTakeAtMs,
} from './token-bucket.ts';

/** Whether a call is taken, when the bucket will then be full, and whether that time must be stored. */
export type BucketStep = { isTaken: boolean; fullAtMs: number; mustStore: boolean };

/** An implausible time must stay unchanged for this long before it is replaced. */
const distrustMs = 60_000;

/**
 * Decides by this process's own clock what it may take from the buckets that all processes share.
 *
 * A stored time that is too far ahead is implausible: a process with a fast clock wrote it. While that time keeps
 * changing, the other process is making calls within the budget, and this one makes none. A time by its own clock would
 * make the bucket look full to the other. Once the time has not changed for a minute, the other process has stopped,
 * and this one stores that the bucket is empty.
 *
 * So a process with a slow clock makes no calls while a fast one makes some, and for a minute after that. If the slow
 * clock becomes the fast one, at most one bucket of calls is made in excess.
 */
export function createBucketRule() {
  const implausible = new Map<string, { bucket: Bucket; fullAtMs: number; sinceMs: number }>();

  /** `storedFullAtMs`: the stored time at which the bucket will be full. */
  function decide(bucket: Bucket, storedFullAtMs: number, nowMs: number, isUrgent: boolean): BucketStep {
    const distrustedUntilMs = distrust(bucket, storedFullAtMs, nowMs);
    if (distrustedUntilMs !== null) {
      if (nowMs >= distrustedUntilMs)
        return { isTaken: false, fullAtMs: fullAfterEmptyMs(bucket, nowMs), mustStore: true };
      return { isTaken: false, fullAtMs: fullAfterFirstTokenMs(bucket, distrustedUntilMs), mustStore: false };
    }
    if (mayTakeAtMs(bucket, storedFullAtMs, isUrgent) > nowMs)
      return { isTaken: false, fullAtMs: storedFullAtMs, mustStore: false };
    return {
      isTaken: true,
      fullAtMs: fullAfterTakingMs(bucket, storedFullAtMs, nowMs, isUrgent),
      mustStore: true,
    };
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

    /**
     * How far another process's clock is ahead, estimated from the times that it wrote; null while all are plausible.
     */
    clockAheadMs(nowMs: number): number | null {
      const aheadMs = [...implausible.values()]
        .filter(({ bucket, fullAtMs }) => !isPlausible(bucket, fullAtMs, nowMs))
        .map(({ fullAtMs }) => fullAtMs - nowMs);
      return aheadMs.length === 0 ? null : Math.max(...aheadMs);
    },
  };
}

/**
 * When an empty bucket will be full whose first token comes back at `firstTokenAtMs`: an urgent call waits until then.
 */
function fullAfterFirstTokenMs(bucket: Bucket, firstTokenAtMs: number): number {
  return firstTokenAtMs + (bucket.perMinute - 1) * intervalMs(bucket);
}
