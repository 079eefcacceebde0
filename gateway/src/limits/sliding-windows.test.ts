import fc from 'fast-check';
import { createSlidingWindows } from './sliding-windows.ts';

/** Calls as an attacker would time them: bursts without a pause, and steps onto and around the edges. */
const pauseMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constantFrom(1, 199, 200, 201, 250, 999, 999.875, 1000, 1000.125, 1001) },
  { weight: 2, arbitrary: fc.constantFrom(15_000, 54_000, 55_000, 59_000, 59_999.875, 60_000, 60_000.125) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 16_000 }).map((eighths) => eighths / 8) },
);
const attack = fc.tuple(
  fc.integer({ min: 0, max: 8_000_000_000 }).map((eighths) => eighths / 8),
  fc.array(pauseMs, { minLength: 1, maxLength: 400 }),
);

const timesOf = ([startMs, pauses]: [number, number[]]) => {
  let atMs = startMs;
  return pauses.map((pause) => {
    atMs += pause;
    return atMs;
  });
};

/** How many of these times lie in the window that ends with `endMs`, its start excluded. */
const countBefore = (times: readonly number[], endMs: number, windowMs: number) =>
  times.filter((time) => time > endMs - windowMs && time <= endMs).length;

function replay(admitted: readonly number[]) {
  const windows = createSlidingWindows();
  for (const time of admitted) windows.admit(time);
  return windows;
}

const runs = { numRuns: 300 };

test('no second holds more than 5 admitted calls and no minute holds 60, wherever it begins', () => {
  fc.assert(
    fc.property(attack, (plan) => {
      const windows = createSlidingWindows();
      const admitted = timesOf(plan).filter((time) => windows.admit(time) === null);
      // The fullest window of all begins with an admitted call.
      for (const start of admitted) {
        const inWindow = (ms: number) => admitted.filter((time) => time >= start && time < start + ms).length;
        expect(inWindow(1000)).toBeLessThanOrEqual(5);
        expect(inWindow(60_000)).toBeLessThan(60);
      }
    }),
    runs,
  );
});

test('a call is refused only when admitting it would break a window, and is told which', () => {
  fc.assert(
    fc.property(attack, (plan) => {
      const windows = createSlidingWindows();
      const admitted: number[] = [];
      for (const time of timesOf(plan)) {
        const refusal = windows.admit(time);
        const breaksSecond = countBefore(admitted, time, 1000) >= 5;
        const breaksMinute = countBefore(admitted, time, 60_000) >= 59;
        expect(refusal !== null).toBe(breaksSecond || breaksMinute);
        if (refusal === null) admitted.push(time);
        else if (!breaksMinute) expect(refusal.limit).toBe(5);
        else if (!breaksSecond) expect(refusal.limit).toBe(60);
      }
    }),
    runs,
  );
});

test('who waits as long as told is admitted, and would not have been a moment before', () => {
  fc.assert(
    fc.property(attack, (plan) => {
      const windows = createSlidingWindows();
      const admitted: number[] = [];
      for (const time of timesOf(plan)) {
        const refusal = windows.admit(time);
        if (refusal === null) admitted.push(time);
        else {
          expect(replay(admitted).admit(time + refusal.retryAfterMs)).toBeNull();
          expect(replay(admitted).admit(time + refusal.retryAfterMs - 0.125)).not.toBeNull();
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('with both windows full the later one is told', () => {
  const windows = createSlidingWindows();
  for (let call = 0; call < 54; call++) expect(windows.admit(call * 250)).toBeNull();
  for (let call = 0; call < 5; call++) expect(windows.admit(30_000)).toBeNull();
  expect(windows.admit(30_000)).toEqual({ limit: 60, retryAfterMs: 30_000 });
});

test('a steady caller just below one call a second is never refused', () => {
  const windows = createSlidingWindows();
  for (let call = 0; call < 1000; call++) expect(windows.admit(call * 1020)).toBeNull();
});
