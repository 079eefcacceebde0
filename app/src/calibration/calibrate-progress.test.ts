import { createCalibrateProgress } from './calibrate-progress.ts';

test('progress counts terms that were read before, but not for the speed', () => {
  const format = createCalibrateProgress();
  const state = { failed: 0, total: 100, waitsFor: null };
  expect(format({ ...state, done: 40 }, 5000)).toBe('40 of 100 terms read');
  expect(format({ ...state, done: 50, failed: 2 }, 65_000)).toBe(
    '50 of 100 terms read, 2 without a score so far, about 5 min to go',
  );
  expect(format({ ...state, done: 99, waitsFor: 'waiting' }, 70_000)).toBe('99 of 100 terms read, waiting');
  expect(format({ ...state, done: 100 }, 70_000)).toBe('100 of 100 terms read');
});
