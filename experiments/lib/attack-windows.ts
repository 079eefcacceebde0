import { type CallTimes, mostWithin } from './most-within.ts';

/** Calls in flight per gateway. */
const inFlight = 6;

/** A way out where nothing is admitted. */
const giveUpMs = 60_000;

/**
 * Calls all gateways with one key as fast as they answer: for `ms`, and then until `leastAdmitted` calls were admitted.
 * `mostInASecond` and `mostInAMinute`: see `mostWithin`.
 */
export async function attackWindows(options: {
  urls: readonly string[];
  key: string;
  ms: number;
  leastAdmitted: number;
}) {
  const { urls, key, ms, leastAdmitted } = options;
  const startedAt = performance.now();
  const admitted: CallTimes[] = [];
  const unexpected: string[] = [];
  let sent = 0;

  function isOver(): boolean {
    const passedMs = performance.now() - startedAt;
    return passedMs >= (admitted.length < leastAdmitted ? giveUpMs : ms);
  }

  async function callUntilEnd(url: string): Promise<void> {
    while (!isOver()) {
      const sentAt = performance.now();
      sent++;
      const response = await fetch(`${url}/api/v1/account/usage`, { headers: { 'x-api-key': key } });
      const text = await response.text();
      if (response.status === 200) admitted.push({ sentAt, answeredAt: performance.now() });
      else if (response.status !== 429) unexpected.push(`${response.status} ${text.slice(0, 200)}`);
    }
  }

  await Promise.all(urls.flatMap((url) => Array.from({ length: inFlight }, () => callUntilEnd(url))));
  return {
    sent,
    admitted: admitted.length,
    mostInASecond: mostWithin(admitted, 1000),
    mostInAMinute: mostWithin(admitted, 60_000),
    unexpected,
  };
}
