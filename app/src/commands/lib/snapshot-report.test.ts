import { formatSnapshotReport, reportSnapshots } from './snapshot-report.ts';

const startedAt = new Date('2026-11-21T10:00:00Z');
const endedAt = new Date('2026-11-21T10:05:00Z');
const over = {
  is_over: true,
  done: 200,
  failed: 0,
  left: 0,
  problems: [],
  started_at: startedAt,
  ended_at: endedAt,
};
const today = { all_of_today: false };

test('a run that read everything is complete and needs no next step', () => {
  const report = reportSnapshots(today, over);
  expect(report).toEqual({
    is_complete: true,
    done: 200,
    failed: 0,
    left: 0,
    problems: [],
    next: null,
    started_at: '2026-11-21T10:00:00.000Z',
    ended_at: '2026-11-21T10:05:00.000Z',
  });
  expect(formatSnapshotReport(report)).toBe('200 read in 5 min, 0 failed, 0 left.');
});

test('a run without due keywords says so', () => {
  const report = reportSnapshots(today, { ...over, done: 0 });
  expect(report.is_complete).toBe(true);
  expect(formatSnapshotReport(report)).toBe('Nothing is due.');
});

test('an incomplete report shows the problems and the next step', () => {
  const problems = ['The App Store is blocked until 12:04.'];
  const run = { ...over, done: 150, failed: 3, left: 50, problems };
  const text = (day?: string) =>
    formatSnapshotReport(reportSnapshots(day === undefined ? today : { ...today, day }, run));
  expect(text()).toMatch(
    /150 read in 5 min, 3 failed, 50 left\.\n {2}The App Store is blocked .*\n.*the service retries them/,
  );
  expect(text('2026-11-20')).toMatch(/--day 2026-11-20/);
});

test('a run that the service continues is not complete', () => {
  const report = reportSnapshots(today, { ...over, is_over: false, left: 10 });
  expect(report).toMatchObject({ is_complete: false, next: expect.stringContaining('continues') });
});
