/** A job that takes no longer did not queue for the store: more jobs can run at once. */
const quickMs = 2000;
/** A job that takes longer queued behind others: running more at once would only lengthen the queue. */
const slowMs = 6000;

/**
 * How many jobs run at once: as many as the store accepts without a queue, whatever its budget is and however many
 * addresses share it. Starts at one; one more per round of quick jobs, one less per round of slow ones, half after a
 * failure; never above `max`.
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
