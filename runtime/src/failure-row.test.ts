import { createFailureRow } from './failure-row.ts';

/** Turns that fail, in the order in which they come back. */
function isLongAfter(...failing: number[]): boolean {
  const row = createFailureRow();
  for (let turn = 0; turn < 10; turn++) row.nextTurn();
  for (const turn of failing) row.add(turn);
  return row.isLong();
}

test('turns are numbered as they begin', () => {
  const row = createFailureRow();
  expect([row.nextTurn(), row.nextTurn(), row.nextTurn()]).toEqual([0, 1, 2]);
});

test.each([[[0, 1, 2]], [[2, 0, 1]], [[5, 9, 6, 7]], [[4, 2, 3]]])('%j are three in a row', (failing) =>
  expect(isLongAfter(...failing)).toBe(true),
);

test.each([[[]], [[0, 1]], [[0, 2, 4, 6, 8]], [[1, 2, 4, 5]]])('%j are not', (failing) =>
  expect(isLongAfter(...failing)).toBe(false),
);

test('a row that was long stays long', () => {
  const row = createFailureRow();
  for (const turn of [0, 1, 2, 9]) row.add(turn);
  expect(row.isLong()).toBe(true);
});
