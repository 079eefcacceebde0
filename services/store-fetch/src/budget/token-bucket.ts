/** The call budget of one outgoing address. `perMinute` (1 to 6,000) is also the size of the bucket. */
export type Bucket = { id: string; perMinute: number };

const minuteMs = 60_000;

/** A call may reach the store this much later than one that was taken after it. */
const transitMs = 500;

/** The difference between the clocks of two processes that is tolerated. */
const toleranceMs = 60_000;

/**
 * The time in which one token comes back, in whole milliseconds. Rounded up, so that the rate never exceeds the
 * budget.
 */
export function intervalMs({ perMinute }: Bucket): number {
  return Math.ceil(minuteMs / perMinute);
}

/**
 * The generic cell rate algorithm (GCRA): a bucket is stored as the time at which it will be full again. From then on
 * the daily run may take a call, because the next token would overflow. An urgent call may be taken as soon as one is
 * left.
 */
export function mayTakeAtMs(bucket: Bucket, fullAtMs: number, isUrgent: boolean): number {
  return isUrgent ? fullAtMs - (bucket.perMinute - 1) * intervalMs(bucket) : fullAtMs;
}

/**
 * When the bucket will be full if a call is taken now. A call of the daily run costs slightly more, so that no minute
 * at the store has more of them than the budget.
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

/** When a bucket will be full that is empty now. */
export function fullAfterEmptyMs(bucket: Bucket, nowMs: number): number {
  return nowMs + bucket.perMinute * intervalMs(bucket);
}

/**
 * Whether a clock that agrees with this one can have written the time: no bucket takes longer to fill than an empty
 * one.
 */
export function isPlausible(bucket: Bucket, fullAtMs: number, nowMs: number): boolean {
  return fullAtMs <= fullAfterEmptyMs(bucket, nowMs) + toleranceMs;
}
