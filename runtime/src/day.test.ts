import { daysBefore, daysInWindow, daysOfWindow, isDay, utcDay } from './day.ts';

test('a day is the UTC day, independent of the local time zone', () => {
  expect(utcDay(new Date('2026-03-01T00:30:00+02:00'))).toBe('2026-02-28');
  expect(utcDay(new Date('2026-02-28T23:59:59.999Z'))).toBe('2026-02-28');
});

test.each(['2026-02-28', '2024-02-29', '0001-01-01'])('%s is a day', (text) =>
  expect(isDay(text)).toBe(true),
);

test.each(['2026-02-29', '2026-13-01', '2026-1-1', '20260101', '', '2026-01-01T00:00:00Z', ' 2026-01-01'])(
  '%j is not a day',
  (text) => expect(isDay(text)).toBe(false),
);

test('days before a day are counted over the end of a month and of a year', () => {
  expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
  expect(daysBefore('2026-01-05', 7)).toBe('2025-12-29');
  expect(daysBefore('2026-01-05', 0)).toBe('2026-01-05');
});

test('a window includes both ends', () => {
  expect(daysInWindow('2026-01-01', '2026-01-01')).toBe(1);
  expect(daysInWindow('2024-02-28', '2024-03-01')).toBe(3);
  expect(daysInWindow('2026-01-02', '2026-01-01')).toBe(0);
});

test('the days of a window are all UTC days, over the end of a month and of summer time', () => {
  expect(daysOfWindow('2026-10-30', '2026-11-02')).toEqual([
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
  ]);
  expect(daysOfWindow('2026-11-02', '2026-11-01')).toEqual([]);
});
