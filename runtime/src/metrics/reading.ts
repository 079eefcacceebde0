import { type Sleep, sleep as wallClockSleep } from '../concurrency/sleep.ts';

/** Reads what a metric shows; null when it is not known now. Never rejects. */
export type Reading<Value> = () => Promise<Value | null>;

/** A value that is newer is not read again: any number of scrapes cost one reading in this time. */
const reuseMs = 5000;
/** On a slow database a value is used longer: for this many times as long as it took to read, */
const reusePerReading = 20;
/** but not longer than this. */
const longestReuseMs = 30_000;
/** How long a scrape waits for a reading that is in progress. */
const patienceMs = 500;
/** Longer than two usual scrapes are apart, so that a slow reading is shown by the next one. */
const longestAgeMs = 35_000;

/**
 * Reads a value for metrics from a database or the event brokers when it is scraped. At most one reading is in progress, however
 * slow it is, and readings of up to 1.5 seconds take at most a twentieth of the time. No scrape waits longer than half a second:
 * then, and for half a minute, the latest value is shown. After a reading that failed nothing is shown: a missing value is never
 * zero.
 */
export function createReading<Value>(
  read: () => Promise<Value>,
  {
    monotonicMs = () => performance.now(),
    sleep = wallClockSleep,
  }: { monotonicMs?: () => number; sleep?: Sleep } = {},
): Reading<Value> {
  let latest: { value: Value; atMs: number; tookMs: number } | null = null;
  let inProgress: Promise<void> | null = null;
  const isYounger = (ms: number) => latest !== null && monotonicMs() - latest.atMs < ms;

  async function refresh(): Promise<void> {
    const startedMs = monotonicMs();
    try {
      const value = await read();
      latest = { value, atMs: monotonicMs(), tookMs: monotonicMs() - startedMs };
    } catch {
      latest = null;
    } finally {
      inProgress = null;
    }
  }

  return async () => {
    if (latest && isYounger(Math.min(longestReuseMs, Math.max(reuseMs, latest.tookMs * reusePerReading))))
      return latest.value;
    inProgress ??= refresh();
    const waiting = new AbortController();
    await Promise.race([inProgress, sleep(patienceMs, waiting.signal)]);
    waiting.abort();
    return latest && isYounger(longestAgeMs) ? latest.value : null;
  };
}
