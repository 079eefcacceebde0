import { retryDelayMs } from './retry-delay.ts';

const minutes = (failures: number, random: () => number) => retryDelayMs(failures, random) / 60_000;

test('the wait is a minute, doubles with each failure, and is never over half an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 5000].map((failures) => minutes(failures, () => 0))).toEqual([
    ...[1, 2, 4, 8, 16, 30, 30, 30],
  ]);
});

test('what failed together is not tried again together', () => {
  expect(minutes(1, () => 0.5)).toBeCloseTo(0.9);
  expect(minutes(6, () => 1)).toBeCloseTo(24);
});
