/** A budget of calls of one outgoing address; `perMinute` (1 to 6,000) is also how many it holds. */
export type Bucket = { id: string; perMinute: number };

const minuteMs = 60_000;

/** A call may reach the store this much later than another one that was taken after it. */
const transitMs = 500;

/** What the clocks of processes may differ by. */
const toleranceMs = 60_000;

/** The time in which one call comes back, in whole milliseconds: rounded up, the rate is never above the budget. */
export function intervalMs({ perMinute }: Bucket): number {
  return Math.ceil(minuteMs / perMinute);
}

/**
 * The generic cell rate algorithm: all that is stored of a bucket is the moment at which it will be full again. From that
 * moment on the daily run may take a call, which would overflow; an urgent call may be taken as soon as one is left.
 */
export function mayTakeAtMs(bucket: Bucket, fullAtMs: number, isUrgent: boolean): number {
  return isUrgent ? fullAtMs - (bucket.perMinute - 1) * intervalMs(bucket) : fullAtMs;
}

/**
 * When the bucket will be full after a call that is taken now. One of the daily run costs a little more, so that the
 * store, too, never counts more of them than the budget in any minute.
 */
export function fullAfterTakingMs(
  bucket: Bucket,
  fullAtMs: number,
  nowMs: number,
  isUrgent: boolean,
): number {
  const extraMs = isUrgent ? 0 : Math.ceil(transitMs / bucket.perMinute);
  return Math.max(fullAtMs, nowMs) + intervalMs(bucket) + extraMs;
}

/** When a bucket will be full that has no call left now. */
export function fullAfterEmptyMs(bucket: Bucket, nowMs: number): number {
  return nowMs + bucket.perMinute * intervalMs(bucket);
}

/** Whether a clock that agrees with this one can have written it: no bucket takes longer to fill than an empty one. */
export function isPlausible(bucket: Bucket, fullAtMs: number, nowMs: number): boolean {
  return fullAtMs <= fullAfterEmptyMs(bucket, nowMs) + toleranceMs;
}
