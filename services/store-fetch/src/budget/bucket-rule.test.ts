import { createFakeClock } from '../../test/fake-clock.ts';
import { createBucketRule } from './bucket-rule.ts';

const bucket = { id: 'itunes:direct', perMinute: 20 };
const minuteMs = 60_000;

/** Two processes that share a bucket. The clock of `fast` is `aheadMs` ahead of that of `right`. */
function start(aheadMs: number) {
  const clock = createFakeClock();
  let storedMs = 0;
  function createProcess(offsetMs: number) {
    const rule = createBucketRule();
    const nowMs = () => clock.now().getTime() + offsetMs;
    return {
      take(isUrgent = true) {
        const { isTaken, fullAtMs, mustStore } = rule.decide(bucket, storedMs, nowMs(), isUrgent);
        if (mustStore) storedMs = fullAtMs;
        return isTaken;
      },
      clockAheadMs: () => rule.clockAheadMs(nowMs()),
    };
  }
  return { clock, fast: createProcess(aheadMs), right: createProcess(0) };
}

test.each([2.5, 5.5, 10, 60])(
  'two processes with clocks %d minutes apart share one budget',
  async (minutes) => {
    const { clock, fast, right } = start(minutes * minuteMs);
    const taken: number[] = [];
    for (let s = 0; s < 600; s++) {
      for (const process of [right, fast, right]) if (process.take()) taken.push(s);
      await clock.advance(1000);
    }
    // A full bucket for each of the two clocks at the start, and ten minutes of budget.
    expect(taken.length).toBeLessThanOrEqual(240);
    expect(taken.length).toBeGreaterThanOrEqual(200);
  },
);

test('a process with a slow clock reports the difference, and can make calls a minute after the fast one has stopped', async () => {
  const { clock, fast, right } = start(10 * minuteMs);
  expect(fast.take()).toBe(true);
  expect(right.clockAheadMs()).toBeNull();
  expect(right.take()).toBe(false);
  expect(right.clockAheadMs()).toBe(10 * minuteMs + 3000);
  expect(fast.clockAheadMs()).toBeNull();
  let s = 0;
  for (; !right.take(); s++) await clock.advance(1000);
  expect(s).toBe(63);
  expect(right.clockAheadMs()).toBeNull();
});

test('a clock that is less than a minute ahead is trusted', () => {
  const { fast, right } = start(minuteMs - 3000);
  for (let i = 0; i < 20; i++) expect(fast.take()).toBe(true);
  expect(right.take()).toBe(false);
  expect(right.clockAheadMs()).toBeNull();
});

test('while the stored time is implausible no call is tried for a minute', () => {
  const rule = createBucketRule();
  const { isTaken, fullAtMs, mustStore } = rule.decide(bucket, 60 * minuteMs, 0, true);
  expect({ isTaken, mustStore }).toEqual({ isTaken: false, mustStore: false });
  // The first token comes back 19 intervals before the bucket is full.
  expect(fullAtMs - 19 * 3000).toBe(minuteMs);
});
