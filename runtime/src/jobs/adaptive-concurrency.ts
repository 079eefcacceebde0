/** A quick job did not wait in the upstream's queue: more jobs can run at the same time. */
const quickMs = 2000;
/** A slow job waited behind others: more jobs at the same time would only lengthen the queue. */
const slowMs = 6000;

/**
 * The number of jobs that run at the same time. It adapts to what the upstream accepts without a queue, whatever its
 * budget is. It starts at one; it grows by one per round of quick jobs, shrinks by one per round of slow jobs, halves
 * after a failure, and never exceeds `max`.
 */
export function createAdaptiveConcurrency(max: number) {
  let limit = 1;
  return {
    current: () => Math.floor(limit),
    onDuration(ms: number): void {
      if (ms <= quickMs) limit = Math.min(max, limit + 1 / Math.floor(limit));
      else if (ms >= slowMs) limit = Math.max(1, limit - 1 / Math.floor(limit));
    },
    onFailure(): void {
      limit = Math.max(1, limit / 2);
    },
    reset(): void {
      limit = 1;
    },
  };
}

/** The same calls for jobs that do not share an upstream: `max` run at the same time, however long they take. */
export function createFixedConcurrency(max: number): ReturnType<typeof createAdaptiveConcurrency> {
  return { current: () => max, onDuration() {}, onFailure() {}, reset() {} };
}
