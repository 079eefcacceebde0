/**
 * The exact sliding windows of one key over its admitted calls: at most 5 in any second, and at most 59 in any minute.
 * Windows are half open: a call at 0 ms and one at 1000 ms do not share a second. Refused calls do not count.
 */
const burst = { calls: 5, windowMs: 1000, shownLimit: 5 } as const;
const sustained = { calls: 59, windowMs: 60_000, shownLimit: 60 } as const;

/** After this long without a call the windows are empty and can be evicted. */
export const windowsExpireAfterMs = sustained.windowMs;

export type SlidingWindows = ReturnType<typeof createSlidingWindows>;

/** Memory: the times of the last 59 admitted calls, 472 bytes. A decision reads two of them. */
export function createSlidingWindows() {
  const admittedMs = new Float64Array(sustained.calls).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  /** When the last admitted call but `calls - 1` leaves its window. */
  const freeAtMs = ({ calls, windowMs }: { calls: number; windowMs: number }) =>
    (admittedMs[(next - calls + admittedMs.length) % admittedMs.length] as number) + windowMs;

  return {
    /** How long the windows stay full at `atMs` (a monotonic clock); null when there is room. Counts nothing. */
    refusal(atMs: number): { limit: 5 | 60; retryAfterMs: number } | null {
      const burstFreeMs = freeAtMs(burst);
      const sustainedFreeMs = freeAtMs(sustained);
      if (atMs >= Math.max(burstFreeMs, sustainedFreeMs)) return null;
      const { shownLimit } = burstFreeMs > sustainedFreeMs ? burst : sustained;
      return { limit: shownLimit, retryAfterMs: Math.max(burstFreeMs, sustainedFreeMs) - atMs };
    },
    /** Counts an admitted call. A time before the newest call counts as that time. */
    count(atMs: number): void {
      const newestMs = admittedMs[(next - 1 + admittedMs.length) % admittedMs.length] as number;
      admittedMs[next] = Math.max(atMs, newestMs);
      next = (next + 1) % admittedMs.length;
    },
  };
}
