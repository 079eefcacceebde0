import { barWidth, fullWidth } from './bar-width.ts';

test('a bar is as long as its part of the largest', () => {
  expect([barWidth(20, 20), barWidth(10, 20), barWidth(5, 20)]).toEqual([
    fullWidth,
    fullWidth / 2,
    fullWidth / 4,
  ]);
});

test('a little is seen, and nothing is not', () => {
  expect(barWidth(1, 1000)).toBeGreaterThan(1);
  expect([barWidth(0, 20), barWidth(0, 0)]).toEqual([0, 0]);
});
