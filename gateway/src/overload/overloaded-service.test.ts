import { createServiceSlots } from './service-slots.ts';
import { createSlotLimit } from './slot-limit.ts';

/** What the service answers in a second, at most. */
const most = 160;
/** By then the queue of the first seconds is answered. */
const calmAfterMs = 10_000;

type Load = { factor: number; seconds: number; pauseMs?: number; perSecond?: number };

/**
 * A service that answers one call after the other gets calls of many accounts for `seconds`. Returns what callers see from the
 * tenth second on. The service pauses for `pauseMs` every three seconds, and then answers at once what it would have answered.
 */
function run({ factor, seconds, pauseMs = 0, perSecond = most }: Load) {
  let nowMs = 0;
  const slots = createServiceSlots({ monotonicMs: () => nowMs, limit: createSlotLimit() });
  const queue: { sentAt: number; answer(hasWaited: boolean): void; free(): void }[] = [];
  const times: number[] = [];
  let due = 0;
  let sent = 0;
  let refused = 0;
  for (; nowMs < seconds * 1000; nowMs++) {
    for (; sent < (nowMs * perSecond * factor) / 1000; sent++) {
      const slot = slots.take(`account ${sent}`);
      if (slot) queue.push({ ...slot, sentAt: nowMs });
      else refused++;
    }
    due = queue.length === 0 ? 0 : due + perSecond / 1000;
    if (nowMs % 3000 < pauseMs) continue;
    for (; due >= 1 && queue.length > 0; due--) {
      const call = queue.shift();
      call?.answer(false);
      call?.free();
      if (call && nowMs > calmAfterMs) times.push(nowMs - call.sentAt);
    }
  }
  times.sort((a, b) => a - b);
  return {
    p99: times[Math.floor(0.99 * times.length)] ?? Number.NaN,
    perSecond: times.length / (seconds - calmAfterMs / 1000),
    refused,
  };
}

test.each([1.5, 3, 10])('at %s times its load a service answers as much as it can, in time', (factor) => {
  const { p99, perSecond: answered } = run({ factor, seconds: 40 });
  expect(p99).toBeLessThan(1000);
  expect(answered).toBeGreaterThan(0.95 * most);
});

test.each([
  [300, 0.95],
  [800, 0.85],
])('and with pauses of %s ms, after which many answers come at once', (pauseMs, share) => {
  const { p99, perSecond: answered } = run({ factor: 3, seconds: 40, pauseMs });
  expect(p99).toBeLessThan(1500);
  expect(answered).toBeGreaterThan(share * most);
});

test('a service whose queue of a hundred calls takes three seconds gets a shorter one, as long as calls are refused', () => {
  const slow = { perSecond: 30, factor: 3, pauseMs: 300 };
  const { p99, perSecond: answered } = run({ ...slow, seconds: 60 });
  expect(p99).toBeLessThan(1500);
  expect(answered).toBeGreaterThan(0.9 * slow.perSecond);
});

test('at half of its load nothing is refused', () => {
  expect(run({ factor: 0.5, seconds: 40, pauseMs: 300 }).refused).toBe(0);
});
