import { createFakeClock } from '../../test/fake-clock.ts';
import { createBucketRule } from './bucket-rule.ts';

const bucket = { id: 'itunes:direct', perMinute: 20 };
const minuteMs = 60_000;

/** Two processes over one bucket, the clock of the first `aheadMs` ahead of the other's. */
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
  'with clocks %d minutes apart two processes spend one budget',
  async (minutes) => {
    const { clock, fast, right } = start(minutes * minuteMs);
    const taken: number[] = [];
    for (let s = 0; s < 600; s++) {
      for (const process of [right, fast, right]) if (process.take()) taken.push(s);
      await clock.advance(1000);
    }
    // A full bucket for each of the two clocks at the start, and what ten minutes bring.
    expect(taken.length).toBeLessThanOrEqual(240);
    expect(taken.length).toBeGreaterThanOrEqual(200);
  },
);

test('the process whose clock is behind says so, and has its calls again a minute after the other has stopped', async () => {
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

test('a clock within a minute of the others is trusted', () => {
  const { fast, right } = start(minuteMs - 3000);
  for (let i = 0; i < 20; i++) expect(fast.take()).toBe(true);
  expect(right.take()).toBe(false);
  expect(right.clockAheadMs()).toBeNull();
});

test('while an implausible moment stands, no call is tried before the minute is over', () => {
  const rule = createBucketRule();
  const { isTaken, fullAtMs, mustStore } = rule.decide(bucket, 60 * minuteMs, 0, true);
  expect({ isTaken, mustStore }).toEqual({ isTaken: false, mustStore: false });
  // The first call of the bucket comes back 19 intervals before it is full.
  expect(fullAtMs - 19 * 3000).toBe(minuteMs);
});
