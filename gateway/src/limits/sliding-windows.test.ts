import fc from 'fast-check';
import { createSlidingWindows, keyWindows, sessionWindows } from './sliding-windows.ts';

/** Calls as an attacker would time them: bursts without a pause, and steps to and around the edges of the windows. */
const pauseMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constantFrom(1, 199, 200, 201, 250, 999, 999.875, 1000, 1000.125, 1001) },
  { weight: 2, arbitrary: fc.constantFrom(15_000, 54_000, 55_000, 59_000, 59_999.875, 60_000, 60_000.125) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 16_000 }).map((eighths) => eighths / 8) },
);
/** Only short pauses fill the minute; `pauseMs` also leaves it. */
const fillingPauseMs = fc.constantFrom(0, 0, 0, 125, 200, 250, 500, 999.875, 1000, 1000.125);
const attack = fc.tuple(
  fc.integer({ min: 0, max: 8_000_000_000 }).map((eighths) => eighths / 8),
  fc.oneof(
    fc.array(pauseMs, { minLength: 1, maxLength: 400 }),
    fc.array(fillingPauseMs, { minLength: 200, maxLength: 400 }),
  ),
);

const timesOf = ([startMs, pauses]: [number, number[]]) => {
  let atMs = startMs;
  return pauses.map((pause) => {
    atMs += pause;
    return atMs;
  });
};

/** Counts the times in the window that ends with `endMs`; its start is excluded. */
const countBefore = (times: readonly number[], endMs: number, windowMs: number) =>
  times.filter((time) => time > endMs - windowMs && time <= endMs).length;

/** Windows that check and count a call at once. */
function createWindows() {
  const windows = createSlidingWindows(keyWindows);
  function admit(atMs: number) {
    const refusal = windows.refusal(atMs);
    if (refusal === null) windows.count(atMs);
    return refusal;
  }
  return { admit };
}

function replay(admitted: readonly number[]) {
  const windows = createWindows();
  for (const time of admitted) windows.admit(time);
  return windows;
}

/** One `expect` per run, not per call: jest's matchers are slow. */
const expectNone = (violations: readonly unknown[]) => expect(violations).toEqual([]);

test('no second has more than 5 admitted calls and no minute has 60, wherever it starts', () => {
  fc.assert(
    fc.property(attack, (plan) => {
      const windows = createWindows();
      const admitted = timesOf(plan).filter((time) => windows.admit(time) === null);
      const countFrom = (start: number, ms: number) =>
        admitted.filter((time) => time >= start && time < start + ms).length;
      // The fullest window of a series always starts with an admitted call.
      expectNone(admitted.filter((start) => countFrom(start, 1000) > 5 || countFrom(start, 60_000) >= 60));
    }),
    { numRuns: 500 },
  );
});

test('a call is refused only when admitting it would exceed a window, and the refusal names the window', () => {
  fc.assert(
    fc.property(attack, (plan) => {
      const windows = createWindows();
      const admitted: number[] = [];
      const violations = timesOf(plan).filter((time) => {
        const refusal = windows.admit(time);
        const breaksSecond = countBefore(admitted, time, 1000) >= 5;
        const breaksMinute = countBefore(admitted, time, 60_000) >= 59;
        if (refusal === null) admitted.push(time);
        if (!breaksSecond && !breaksMinute) return refusal !== null;
        return (
          refusal === null ||
          (!breaksMinute && refusal.limit !== 5) ||
          (!breaksSecond && refusal.limit !== 60)
        );
      });
      expectNone(violations);
    }),
    { numRuns: 500 },
  );
});

test('a call after retryAfterMs is admitted, and a moment earlier it is not', () => {
  fc.assert(
    fc.property(attack, (plan) => {
      const windows = createWindows();
      const admitted: number[] = [];
      const violations = timesOf(plan).filter((time) => {
        const refusal = windows.admit(time);
        if (refusal === null) admitted.push(time);
        if (refusal === null) return false;
        const freeMs = time + refusal.retryAfterMs;
        return replay(admitted).admit(freeMs) !== null || replay(admitted).admit(freeMs - 0.125) === null;
      });
      expectNone(violations);
    }),
    { numRuns: 100 },
  );
});

test('with both windows full the refusal names the one that frees up later', () => {
  const windows = createWindows();
  for (let call = 0; call < 54; call++) expect(windows.admit(call * 250)).toBeNull();
  for (let call = 0; call < 5; call++) expect(windows.admit(30_000)).toBeNull();
  expect(windows.admit(30_000)).toEqual({ limit: 60, retryAfterMs: 30_000 });
});

test('a call that counts from an earlier time than the newest one does not free the window earlier', () => {
  const windows = createSlidingWindows(keyWindows);
  for (const time of [500, 100, 600, 600, 600, 600]) windows.count(time);
  expect(windows.refusal(1200)).toEqual({ limit: 5, retryAfterMs: 300 });
});

test.each([
  [0, 10],
  [199, 300],
])('sessions: with a call every %d ms %d are admitted', (gapMs, calls) => {
  const windows = createSlidingWindows(sessionWindows);
  for (let call = 0; call < calls; call++) {
    expect(windows.refusal(call * gapMs)).toBeNull();
    windows.count(call * gapMs);
  }
  expect(windows.refusal(calls * gapMs)).toMatchObject({ limit: calls });
});
