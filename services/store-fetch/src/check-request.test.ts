import { checkDay } from './check-request.ts';

test.each(['2026-11-21', '2024-02-29', '1970-01-01'])('%s is a day', (day) =>
  expect(checkDay('on_day', day)).toBe(day),
);

test.each(['', '2026-02-30', '2025-02-29', '2026-13-01', '2026-1-1', '21.11.2026', '2026-11-21T00:00:00Z'])(
  '%j is no day',
  (day) => expect(() => checkDay('on_day', day)).toThrow('on_day must be a day, YYYY-MM-DD'),
);
