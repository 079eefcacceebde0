import { retryAt, retryDelayMs } from './retry-delay.ts';

const minutes = (failures: number, random: () => number) => retryDelayMs(failures, random) / 60_000;

test('the delay is a minute, doubles with each failure and never exceeds half an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 5000].map((failures) => minutes(failures, () => 0))).toEqual([
    ...[1, 2, 4, 8, 16, 30, 30, 30],
  ]);
});

test('jobs that failed together are retried at different times', () => {
  expect(minutes(1, () => 0.5)).toBeCloseTo(0.9);
  expect(minutes(6, () => 1)).toBeCloseTo(24);
});

const retry = (at: string, failures: number, random = 0) =>
  retryAt(new Date(`2026-03-11T${at}Z`), failures, () => random)
    .toISOString()
    .slice(0, 19);

test('a retry after midnight is moved to shortly before midnight', () => {
  expect(retry('12:00:00', 6)).toBe('2026-03-11T12:30:00');
  expect(retry('23:40:00', 6)).toBe('2026-03-11T23:58:00');
  expect(retry('23:40:00', 6, 1)).toBe('2026-03-11T23:56:00');
});

test('shortly before midnight the delay is not changed', () => {
  expect(retry('23:57:30', 6)).toBe('2026-03-12T00:27:30');
  expect(retry('23:58:30', 1)).toBe('2026-03-11T23:59:30');
});
