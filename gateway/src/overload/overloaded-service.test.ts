import { createServicePlaces } from './service-places.ts';

/** What a service answers in a second, at most. */
const perSecond = 160;

/**
 * A service that answers one call after the other gets calls of many accounts for `seconds`. Returns what callers see from the
 * fifth second on. The service pauses for `pauseMs` every three seconds, and then answers at once what it would have answered.
 */
function run({ factor, seconds, pauseMs = 0 }: { factor: number; seconds: number; pauseMs?: number }) {
  let nowMs = 0;
  const places = createServicePlaces({ monotonicMs: () => nowMs });
  const queue: { sentAt: number; answer(): void; free(): void }[] = [];
  const times: number[] = [];
  let due = 0;
  let sent = 0;
  for (; nowMs < seconds * 1000; nowMs++) {
    for (; sent < (nowMs * perSecond * factor) / 1000; sent++) {
      const place = places.take(`account ${sent}`);
      place?.start();
      if (place) queue.push({ ...place, sentAt: nowMs });
    }
    due = queue.length === 0 ? 0 : due + perSecond / 1000;
    if (nowMs % 3000 < pauseMs) continue;
    for (; due >= 1 && queue.length > 0; due--) {
      const call = queue.shift();
      call?.answer();
      call?.free();
      if (call && nowMs > 5000) times.push(nowMs - call.sentAt);
    }
  }
  times.sort((a, b) => a - b);
  return {
    p99: times[Math.floor(0.99 * times.length)] ?? Number.NaN,
    perSecond: times.length / (seconds - 5),
    limit: places.limit(),
  };
}

test.each([1.5, 3, 10])('at %s times its load a service answers as much as it can, in time', (factor) => {
  const { p99, perSecond: answered } = run({ factor, seconds: 40 });
  expect(p99).toBeLessThan(1000);
  expect(answered).toBeGreaterThan(0.95 * perSecond);
});

test.each([
  [300, 0.95],
  [800, 0.85],
])('and with pauses of %s ms, after which many answers come at once', (pauseMs, share) => {
  const { p99, perSecond: answered } = run({ factor: 3, seconds: 40, pauseMs });
  expect(p99).toBeLessThan(1500);
  expect(answered).toBeGreaterThan(share * perSecond);
});

test('at half of its load nothing is refused', () => {
  const { perSecond: answered, limit } = run({ factor: 0.5, seconds: 40, pauseMs: 300 });
  expect(answered).toBeGreaterThan(0.49 * perSecond);
  expect(limit).toBe(100);
});
