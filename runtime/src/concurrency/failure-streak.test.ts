import { createFailureStreak } from './failure-streak.ts';

/** Turns that fail, in the order in which they come back. */
function isLongAfter(...failing: number[]): boolean {
  const row = createFailureStreak();
  for (let turn = 0; turn < 10; turn++) row.nextAttemptNumber();
  for (const turn of failing) row.add(turn);
  return row.isTripped();
}

test('turns are numbered as they begin', () => {
  const row = createFailureStreak();
  expect([row.nextAttemptNumber(), row.nextAttemptNumber(), row.nextAttemptNumber()]).toEqual([0, 1, 2]);
});

test.each([[[0, 1, 2]], [[2, 0, 1]], [[5, 9, 6, 7]], [[4, 2, 3]]])('%j are three in a row', (failing) =>
  expect(isLongAfter(...failing)).toBe(true),
);

test.each([[[]], [[0, 1]], [[0, 2, 4, 6, 8]], [[1, 2, 4, 5]]])('%j are not', (failing) =>
  expect(isLongAfter(...failing)).toBe(false),
);

test('a row that was long stays long', () => {
  const row = createFailureStreak();
  for (const turn of [0, 1, 2, 9]) row.add(turn);
  expect(row.isTripped()).toBe(true);
});
