import { createAdaptiveConcurrency } from './adaptive-concurrency.ts';

/** A store with a budget: so many readings at once take this long each. */
function settle(most: number, msAt: (width: number) => number): number {
  const width = createAdaptiveConcurrency(most);
  for (let reading = 0; reading < 5000; reading++) width.onDuration(msAt(width.current()));
  return width.current();
}

test('a store that answers at once is read by as many as are allowed', () => {
  expect(settle(32, () => 5)).toBe(32);
});

test('a store that allows 20 calls a minute has no queue of ours, and is never idle', () => {
  const perSecond = 20 / 60;
  const width = settle(32, (readers) => Math.max(700, (readers / perSecond) * 1000));
  expect(width).toBeGreaterThanOrEqual(1);
  expect(width).toBeLessThanOrEqual(2);
});

test('fifty addresses are used by as many readers as they need', () => {
  const perSecond = 50 * (20 / 60);
  const width = settle(64, (readers) => Math.max(1000, (readers / perSecond) * 1000));
  expect(width).toBeGreaterThanOrEqual(Math.floor(perSecond));
});

test('a failure halves it, and one reader always stays', () => {
  const width = createAdaptiveConcurrency(32);
  for (let reading = 0; reading < 5000; reading++) width.onDuration(1);
  const widths = Array.from({ length: 7 }, () => {
    width.onFailure();
    return width.current();
  });
  expect(widths).toEqual([16, 8, 4, 2, 1, 1, 1]);
});
