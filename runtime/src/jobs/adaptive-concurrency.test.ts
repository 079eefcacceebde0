import { createAdaptiveConcurrency } from './adaptive-concurrency.ts';

/** The limit after many jobs, when a job takes `msAt(limit)`. */
function settledLimit(max: number, msAt: (limit: number) => number): number {
  const limit = createAdaptiveConcurrency(max);
  for (let job = 0; job < 5000; job++) limit.onDuration(msAt(limit.current()));
  return limit.current();
}

test('quick jobs raise the limit to its maximum', () => {
  expect(settledLimit(32, () => 5)).toBe(32);
});

test('an upstream with 20 calls a minute is kept busy without a queue', () => {
  const perSecond = 20 / 60;
  const limit = settledLimit(32, (jobs) => Math.max(700, (jobs / perSecond) * 1000));
  expect(limit).toBeGreaterThanOrEqual(1);
  expect(limit).toBeLessThanOrEqual(2);
});

test('an upstream with fifty addresses gets as many jobs as it can serve', () => {
  const perSecond = 50 * (20 / 60);
  const limit = settledLimit(64, (jobs) => Math.max(1000, (jobs / perSecond) * 1000));
  expect(limit).toBeGreaterThanOrEqual(Math.floor(perSecond));
});

test('a failure halves the limit, down to one', () => {
  const limit = createAdaptiveConcurrency(32);
  for (let job = 0; job < 5000; job++) limit.onDuration(1);
  const limits = Array.from({ length: 7 }, () => {
    limit.onFailure();
    return limit.current();
  });
  expect(limits).toEqual([16, 8, 4, 2, 1, 1, 1]);
});
