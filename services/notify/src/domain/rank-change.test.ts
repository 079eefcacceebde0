import fc from 'fast-check';
import { hasEnteredTop, hasLeftTop, isRankDrop, isRankRise, wasOvertaken } from './rank-change.ts';

const anyRank = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null });

test.each([
  [3, 8, false, 'five places'],
  [3, 9, true, 'six places'],
  [40, 48, false, 'a fifth of the rank'],
  [40, 49, true, 'more than a fifth'],
  [50, null, true, 'out of the page'],
  [51, null, false, 'from below rank 50'],
  [9, 3, false, 'a rise'],
  [null, null, false, 'never ranked'],
])('from %s to %s: a drop is %s (%s)', (before, after, expected, _why) => {
  expect(isRankDrop({ before, after }, 5)).toBe(expected);
  expect(isRankRise({ before: after, after: before }, 5)).toBe(expected);
});

test('a change is never a drop and a rise, and never into and out of the top', () => {
  fc.assert(
    fc.property(anyRank, anyRank, fc.integer({ min: 1, max: 100 }), (before, after, threshold) => {
      const ranks = { before, after };
      expect(isRankDrop(ranks, threshold) && isRankRise(ranks, threshold)).toBe(false);
      expect(hasEnteredTop(ranks, threshold) && hasLeftTop(ranks, threshold)).toBe(false);
    }),
  );
});

test('an app is overtaken by a rival that was behind it and is ahead', () => {
  const own = { before: 4, after: 6 };
  expect(wasOvertaken(own, { before: 5, after: 5 })).toBe(true);
  expect(wasOvertaken(own, { before: null, after: 2 })).toBe(true);
  expect(wasOvertaken(own, { before: 3, after: 2 })).toBe(false);
  expect(wasOvertaken({ before: 4, after: null }, { before: 5, after: null })).toBe(false);
  expect(wasOvertaken({ before: null, after: null }, { before: null, after: 2 })).toBe(false);
});
