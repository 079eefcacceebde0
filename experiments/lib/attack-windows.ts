import { type CallTimes, mostWithin } from './most-within.ts';

/** Calls in flight per gateway. */
const inFlight = 6;

/**
 * Calls all gateways with one key as fast as they answer. `mostInASecond`: see `mostWithin`.
 */
export async function attackWindows(options: { urls: readonly string[]; key: string; ms: number }) {
  const { urls, key, ms } = options;
  const endsAt = performance.now() + ms;
  const admitted: CallTimes[] = [];
  const unexpected: string[] = [];
  let sent = 0;

  async function callUntilEnd(url: string): Promise<void> {
    while (performance.now() < endsAt) {
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
    unexpected,
  };
}
