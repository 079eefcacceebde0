import { readTimeMs } from './read-time.ts';

test('an analysis reads for up to three minutes, less when its caller’s deadline is sooner, but at least one minute', () => {
  expect([300, 195, 194, 100, 75, 74, 0, -5].map((seconds) => readTimeMs(seconds * 1000) / 1000)).toEqual([
    180, 180, 179, 85, 60, 60, 60, 60,
  ]);
});
