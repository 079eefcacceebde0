import { topOf } from './top-of.ts';

test.each([
  [[], 1],
  [[null], 1],
  [[0.4, null, 0.9], 1],
  [[1, 1.1], 2],
  [[3.9], 4],
  [[12], 20],
  [[60], 60],
  [[60.1], 100],
  [[100], 100],
])('a scale for %j ends at %d', (values, top) => {
  expect(topOf(values)).toBe(top);
});
