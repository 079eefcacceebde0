type Window = { calls: number; windowMs: number; shownLimit: WindowLimit };

/** The two windows of a kind of calls. */
export type Windows = { burst: Window; sustained: Window };

/** The limits as answers show them, each of one window only. */
export type WindowLimit = 5 | 60 | 10 | 300;

/** Calls with a key: at most 5 in any second, and at most 59 in any minute. */
export const keyWindows: Windows = {
  burst: { calls: 5, windowMs: 1000, shownLimit: 5 },
  sustained: { calls: 59, windowMs: 60_000, shownLimit: 60 },
};

/** Calls of all sessions of an account: at most 10 in any second, and at most 300 in any minute. */
export const sessionWindows: Windows = {
  burst: { calls: 10, windowMs: 1000, shownLimit: 10 },
  sustained: { calls: 300, windowMs: 60_000, shownLimit: 300 },
};

/** After this long without a call the windows are empty and can be evicted. */
export const windowsExpireAfterMs = 60_000;

export type SlidingWindows = ReturnType<typeof createSlidingWindows>;

/**
 * The exact sliding windows of one account over its admitted calls. They are half open: a call at 0 ms and one at 1000 ms do
 * not share a second. Refused calls do not count. Memory: the times of the longer window's calls, 8 bytes each. A decision
 * reads two of them.
 */
export function createSlidingWindows({ burst, sustained }: Windows) {
  const admittedMs = new Float64Array(sustained.calls).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  /** When the last admitted call but `calls - 1` leaves its window. */
  const freeAtMs = ({ calls, windowMs }: { calls: number; windowMs: number }) =>
    (admittedMs[(next - calls + admittedMs.length) % admittedMs.length] as number) + windowMs;

  return {
    /** How long the windows stay full at `atMs` (a monotonic clock); null when there is room. Counts nothing. */
    refusal(atMs: number): { limit: WindowLimit; retryAfterMs: number } | null {
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
