/** An allowance of calls of one outgoing address; `perMinute` (1 to 6,000) is also how many it holds. */
export type Bucket = { id: string; perMinute: number };

const minuteMs = 60_000;

/** A moment further ahead than this was written by a clock that was wrong: no bucket takes over a minute to fill. */
const maxAheadMs = minuteMs + 5 * 60_000;

/** The time in which one call comes back, in whole milliseconds: rounded up, the rate is never above the budget. */
export function intervalMs({ perMinute }: Bucket): number {
  return Math.ceil(minuteMs / perMinute);
}

/**
 * The generic cell rate algorithm: all that is kept of a bucket is the moment at which it will be full again. From that
 * moment on the daily run may take a call, which would overflow; whoever waits may take one as soon as one is left.
 */
export function mayTakeAtMs(bucket: Bucket, fullAtMs: number, isUrgent: boolean): number {
  return isUrgent ? fullAtMs - (bucket.perMinute - 1) * intervalMs(bucket) : fullAtMs;
}

/** When the bucket will be full after a call that is taken now. */
export function fullAfterTakingMs(bucket: Bucket, fullAtMs: number, nowMs: number): number {
  return Math.max(fullAtMs, nowMs) + intervalMs(bucket);
}

/** What is kept of a bucket, as far as it can be true; nothing kept is a full bucket. */
export function believableFullAtMs(keptMs: number | undefined, nowMs: number): number {
  return keptMs === undefined || keptMs > nowMs + maxAheadMs ? nowMs : keptMs;
}
