import fc from 'fast-check';
import type { Snapshot } from './snapshot.ts';
import { isMonthKey, monthKey, packMonth, unpackMonth } from './snapshot-month.ts';

/** Few ids, so that pages share them; some are no numbers. */
const anyId = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map(String),
  fc.constantFrom('com.example.app', 'ä"\\', '雪 '),
  fc.string({ minLength: 1, unit: 'binary' }),
);
const anyPage = fc.uniqueArray(anyId, { maxLength: 100 });

const anySnapshot = fc.record({
  taken_at: fc.date({ noInvalidDate: true }),
  source: fc.constantFrom('sample', 'app-store', 'google-play'),
  app_ids: fc.oneof(anyPage, fc.shuffledSubarray(Array.from({ length: 100 }, (_, id) => `1${id}`))),
  revision: fc.integer({ min: 1, max: 9 }),
});

/** Days of February 2028, some of them missing, in their order. */
const anyMonth = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 29 }), anySnapshot, fc.boolean()), {
    selector: ([day]) => day,
  })
  .map((days) =>
    days
      .sort(([one], [other]) => one - other)
      .map(([dayOfMonth, snapshot, isSuspect]): Snapshot => {
        const day = `2028-02-${String(dayOfMonth).padStart(2, '0')}`;
        return isSuspect ? { day, ...snapshot, is_suspect: true } : { day, ...snapshot };
      }),
  );

test('every field of every day of a month comes back equal', () => {
  fc.assert(
    fc.property(anyMonth, (days) => {
      expect(unpackMonth('2028-02-all', packMonth(days))).toEqual(days);
    }),
  );
});

test('a month is unpacked until a day', () => {
  fc.assert(
    fc.property(anyMonth, fc.integer({ min: 1, max: 29 }), (days, last) => {
      const lastDay = `2028-02-${String(last).padStart(2, '0')}`;
      expect(unpackMonth('2028-02-all', packMonth(days), lastDay)).toEqual(
        days.filter(({ day }) => day <= lastDay),
      );
    }),
  );
});

test('a page that stays takes one byte per result', () => {
  const day = (date: string) => ({
    day: date,
    taken_at: new Date(`${date}T09:30:00.123Z`),
    source: 'app-store',
    app_ids: Array.from({ length: 100 }, (_, index) => String(1_500_000_000 + index)),
    revision: 1,
  });
  const sizeOf = (...dates: string[]) => Buffer.byteLength(packMonth(dates.map(day)));
  const added = sizeOf('2026-03-01', '2026-03-02', '2026-03-03') - sizeOf('2026-03-01', '2026-03-02');
  expect(added).toBeLessThan(150);
});

test('the key of a month follows its days and precedes the next month', () => {
  expect(monthKey('2026-03-05')).toBe('2026-03-all');
  expect(['2026-04-01', '2026-03-all', '2026-03-31'].sort()).toEqual([
    '2026-03-31',
    '2026-03-all',
    '2026-04-01',
  ]);
  expect(['2026-03-all', '2026-03-31'].map(isMonthKey)).toEqual([true, false]);
});
