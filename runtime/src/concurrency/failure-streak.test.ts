import { createFailureStreak } from './failure-streak.ts';

/** Whether these failed attempts, in the order in which they return, trip the streak. */
function isTrippedAfter(...failing: number[]): boolean {
  const streak = createFailureStreak();
  for (let attempt = 0; attempt < 10; attempt++) streak.nextAttemptNumber();
  for (const attempt of failing) streak.add(attempt);
  return streak.isTripped();
}

test('attempts are numbered in the order of their start', () => {
  const streak = createFailureStreak();
  expect([streak.nextAttemptNumber(), streak.nextAttemptNumber(), streak.nextAttemptNumber()]).toEqual([
    0, 1, 2,
  ]);
});

test.each([[[0, 1, 2]], [[2, 0, 1]], [[5, 9, 6, 7]], [[4, 2, 3]]])('failures %j trip the streak', (failing) =>
  expect(isTrippedAfter(...failing)).toBe(true),
);

test.each([[[]], [[0, 1]], [[0, 2, 4, 6, 8]], [[1, 2, 4, 5]]])('failures %j do not', (failing) =>
  expect(isTrippedAfter(...failing)).toBe(false),
);

test('a tripped streak stays tripped', () => {
  const streak = createFailureStreak();
  for (const attempt of [0, 1, 2, 9]) streak.add(attempt);
  expect(streak.isTripped()).toBe(true);
});
