import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { nextReading } from './next-reading.ts';

test('what has a snapshot of today is read tomorrow, at its moment of that day', () => {
  expect(nextReading(7, '2026-03-10', '2026-03-10')).toEqual(slotOf(7, '2026-03-11'));
  expect(nextReading(7, '2026-03-11', '2026-03-10')).toEqual(slotOf(7, '2026-03-12'));
});

test('days that were missed are not made up for: the next reading is one of today', () => {
  expect(nextReading(7, '2026-03-06', '2026-03-10')).toEqual(slotOf(7, '2026-03-10'));
  expect(nextReading(7, null, '2026-03-10')).toEqual(slotOf(7, '2026-03-10'));
});

test('a new year and a leap day are days like any other', () => {
  expect(nextReading(7, '2025-12-31', '2025-12-31')).toEqual(slotOf(7, '2026-01-01'));
  expect(nextReading(7, '2028-02-28', '2028-02-28')).toEqual(slotOf(7, '2028-02-29'));
});
