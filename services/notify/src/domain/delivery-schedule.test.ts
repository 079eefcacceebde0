import { hasFailedForLong, nextTryAt } from './delivery-schedule.ts';

const at = new Date('2026-03-10T09:00:00Z');

test('a delivery is tried nine times within two days', () => {
  const delays = Array.from({ length: 9 }, (_, index) => {
    const next = nextTryAt(index + 1, at);
    return next && (next.getTime() - at.getTime()) / 1000;
  });
  expect(delays).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400, null]);
});

test('a channel has failed for long after five days, to the millisecond', () => {
  expect(hasFailedForLong(at, new Date('2026-03-15T08:59:59.999Z'))).toBe(false);
  expect(hasFailedForLong(at, new Date('2026-03-15T09:00:00Z'))).toBe(true);
});
