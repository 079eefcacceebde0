import {
  createProgressLine,
  createSnapshotProgress,
  formatDuration,
  formatProgress,
} from './snapshot-progress.ts';

const run = (done: number, left: number, failed = 0) => ({
  is_over: false,
  done,
  failed,
  left,
  problems: [],
  started_at: null,
  ended_at: null,
});

test('the first look knows no speed', () => {
  const note = createSnapshotProgress();
  expect(formatProgress(note(run(0, 1200), 0))).toBe('0 read, 0 failed, 1,200 left');
});

test('speed and time left are those of the last minute', () => {
  const note = createSnapshotProgress();
  note(run(0, 1000), 0);
  for (let second = 1; second <= 60; second++) note(run(second * 10, 1000 - second * 10), second * 1000);
  // Ten times slower from here on.
  let last = note(run(600, 400), 60_000);
  for (let second = 61; second <= 130; second++)
    last = note(run(600 + second - 60, 400 - (second - 60)), second * 1000);
  expect(last).toMatchObject({ done: 670, left: 330, perMinute: 60, secondsLeft: 330 });
  expect(formatProgress(last)).toBe('670 read, 0 failed, 330 left, 60 a minute, about 6 min to go');
});

test('where nothing is read no time is promised', () => {
  const note = createSnapshotProgress();
  note(run(5, 20, 1), 0);
  expect(formatProgress(note(run(5, 20, 3), 30_000))).toBe('5 read, 3 failed, 20 left, 0 a minute');
});

test('what keeps the markets from being read stands in the line', () => {
  const note = createSnapshotProgress();
  const stuck = { ...run(5, 20), problems: ['The App Store rests.', 'So does Google Play.'] };
  expect(formatProgress(note(stuck, 0))).toBe('5 read, 0 failed, 20 left. The App Store rests.');
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

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 20, written, write: (text: string) => written.push(text) };
}

test('a terminal has one line, no longer than it is wide, which is gone at the end', () => {
  const terminal = stream(true);
  const line = createProgressLine(terminal);
  line.show('one', 0);
  line.show('a text that is longer than the terminal', 100);
  line.end();
  expect(terminal.written).toEqual(['\r\u001b[Kone', '\r\u001b[Ka text that is long', '\r\u001b[K']);
});

test('elsewhere there is a line every few seconds', () => {
  const file = stream(false);
  const line = createProgressLine(file);
  for (let second = 0; second <= 10; second++) line.show(`at ${second}`, second * 1000);
  line.end();
  expect(file.written).toEqual(['at 0\n', 'at 5\n', 'at 10\n']);
});
