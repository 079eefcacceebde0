import { isTimeZone, nextDigestAt } from './digest-time.ts';

const berlin = { every: 'day', hour: 7, time_zone: 'Europe/Berlin' } as const;
const next = (schedule: Parameters<typeof nextDigestAt>[0], after: string) =>
  nextDigestAt(schedule, new Date(after)).toISOString().replace(':00.000Z', 'Z');

test('every day at the hour of the time zone, in winter and in summer', () => {
  expect(next(berlin, '2026-01-10T05:59:59Z')).toBe('2026-01-10T06:00Z');
  expect(next(berlin, '2026-01-10T06:00:00Z')).toBe('2026-01-11T06:00Z');
  expect(next(berlin, '2026-07-10T05:00:00Z')).toBe('2026-07-11T05:00Z');
  expect(next({ ...berlin, time_zone: 'Asia/Kolkata' }, '2026-01-10T12:00:00Z')).toBe('2026-01-11T01:30Z');
  expect(next({ ...berlin, time_zone: 'Pacific/Auckland' }, '2026-01-10T12:00:00Z')).toBe(
    '2026-01-10T18:00Z',
  );
  expect(next({ ...berlin, hour: 0, time_zone: 'UTC' }, '2026-12-31T00:00:00Z')).toBe('2027-01-01T00:00Z');
});

test('every Monday of the time zone, which may be Sunday or Tuesday elsewhere', () => {
  const weekly = { ...berlin, every: 'week' } as const;
  // 12 January 2026 is a Monday.
  expect(next(weekly, '2026-01-10T12:00:00Z')).toBe('2026-01-12T06:00Z');
  expect(next(weekly, '2026-01-12T06:00:00Z')).toBe('2026-01-19T06:00Z');
  expect(next({ ...weekly, time_zone: 'Pacific/Kiritimati' }, '2026-01-10T12:00:00Z')).toBe(
    '2026-01-11T17:00Z',
  );
  expect(next({ ...weekly, hour: 23, time_zone: 'America/Los_Angeles' }, '2026-01-12T12:00:00Z')).toBe(
    '2026-01-13T07:00Z',
  );
});

test('an hour that the clocks skip is sent once, when they go on; one that comes twice is sent once, the first time', () => {
  const two = { ...berlin, hour: 2 };
  // On 29 March 2026 two o'clock becomes three.
  expect(next(two, '2026-03-28T01:00:00Z')).toBe('2026-03-29T01:00Z');
  expect(next(two, '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:00Z');
  // On 25 October 2026 three o'clock becomes two.
  expect(next(two, '2026-10-24T00:00:00Z')).toBe('2026-10-25T00:00Z');
  expect(next(two, '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00Z');
  // By half an hour, and at midnight.
  expect(next({ ...two, time_zone: 'Australia/Lord_Howe' }, '2026-10-03T00:00:00Z')).toBe(
    '2026-10-03T15:30Z',
  );
});

test.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'America/Santiago', 'Africa/Cairo', 'UTC'])(
  'in a year of %s there is one for each day and hour',
  (timeZone) => {
    for (let hour = 0; hour < 24; hour += 1) {
      let at = new Date('2025-12-31T12:00:00Z');
      let count = 0;
      for (; at < new Date('2026-12-31T12:00:00Z'); count += 1)
        at = nextDigestAt({ every: 'day', hour, time_zone: timeZone }, at);
      expect([hour, Math.abs(count - 365.5)]).toEqual([hour, 0.5]);
    }
  },
);

test('names of time zones only', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Port-au-Prince', 'Etc/GMT+5'])
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  for (const name of ['', '+01:00', 'Europe/Atlantis', 'x'.repeat(65), 'Europe/Berlin\r\n'])
    expect([name, isTimeZone(name)]).toEqual([name, false]);
});
