import { createSnapshotProgress, formatDuration, formatProgress } from './snapshot-progress.ts';

const run = (done: number, left: number, failed = 0) => ({
  is_over: false,
  done,
  failed,
  left,
  problems: [],
  started_at: null,
  ended_at: null,
});

test('the first sample has no speed', () => {
  const toProgress = createSnapshotProgress();
  expect(formatProgress(toProgress(run(0, 1200), 0))).toBe('0 read, 0 failed, 1,200 left');
});

test('speed and remaining time follow the last minute', () => {
  const toProgress = createSnapshotProgress();
  toProgress(run(0, 1000), 0);
  for (let second = 1; second <= 60; second++)
    toProgress(run(second * 10, 1000 - second * 10), second * 1000);
  // Ten times slower from here on.
  let last = toProgress(run(600, 400), 60_000);
  for (let second = 61; second <= 130; second++)
    last = toProgress(run(600 + second - 60, 400 - (second - 60)), second * 1000);
  expect(last).toMatchObject({ done: 670, left: 330, perMinute: 60, secondsLeft: 330 });
  expect(formatProgress(last)).toBe('670 read, 0 failed, 330 left, 60 per minute, about 6 min to go');
});

test('without a reading in the last minute no remaining time is shown', () => {
  const toProgress = createSnapshotProgress();
  toProgress(run(5, 20, 1), 0);
  expect(formatProgress(toProgress(run(5, 20, 3), 30_000))).toBe('5 read, 3 failed, 20 left, 0 per minute');
});

test('the line shows the first problem', () => {
  const toProgress = createSnapshotProgress();
  const stuck = { ...run(5, 20), problems: ['The App Store is blocked.', 'Google Play is blocked.'] };
  expect(formatProgress(toProgress(stuck, 0))).toBe('5 read, 0 failed, 20 left. The App Store is blocked.');
});

test.each([
  [0, '0 s'],
  [89, '89 s'],
  [120, '2 min'],
  [5400, '1 h 30 min'],
  [86_700, '24 h 05 min'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
