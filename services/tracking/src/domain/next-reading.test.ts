import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { nextReading, nextReadingOfListing, nextReadingOfNewListing } from './next-reading.ts';

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

const id = 7;
const now = new Date('2026-03-10T09:00:00Z');
const read = (readAt: string) => ({ subtitle: 'Work in peace', read_at: new Date(readAt) });

test('a listing that was read is read again on the next day, at its own moment', () => {
  expect(nextReadingOfNewListing(id, read('2026-03-10T08:59:00Z'), now)).toEqual(slotOf(id, '2026-03-11'));
  expect(nextReadingOfListing(id, new Date('2026-03-10T08:59:00Z'), '2026-03-10')).toEqual(
    slotOf(id, '2026-03-11'),
  );
});

test('a reading that was served from the day before does not stand in for today', () => {
  expect(nextReadingOfNewListing(id, read('2026-03-09T23:00:00Z'), now)).toEqual(slotOf(id, '2026-03-10'));
});

test('a subtitle that is not known makes a listing due at once', () => {
  const unknown = { subtitle: null, read_at: now };
  expect(nextReadingOfNewListing(id, unknown, now)).toEqual(now);
});

test('a reading that crosses midnight counts for the day that it ends on', () => {
  expect(nextReadingOfListing(id, new Date('2026-03-11T00:00:01Z'), '2026-03-10')).toEqual(
    slotOf(id, '2026-03-12'),
  );
});

test('a store that answers with an old reading is not called again the same day', () => {
  expect(nextReadingOfListing(id, new Date('2026-03-08T12:00:00Z'), '2026-03-10')).toEqual(
    slotOf(id, '2026-03-11'),
  );
});
