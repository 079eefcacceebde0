import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { nextReading, nextReadingOfListing, nextReadingOfNewListing } from './next-reading.ts';

test('a keyword with a snapshot of today is read tomorrow, in its slot of that day', () => {
  expect(nextReading(7, '2026-03-10', '2026-03-10')).toEqual(slotOf(7, '2026-03-11'));
  expect(nextReading(7, '2026-03-11', '2026-03-10')).toEqual(slotOf(7, '2026-03-12'));
});

test('missed days are not read later: the next reading is today', () => {
  expect(nextReading(7, '2026-03-06', '2026-03-10')).toEqual(slotOf(7, '2026-03-10'));
  expect(nextReading(7, null, '2026-03-10')).toEqual(slotOf(7, '2026-03-10'));
});

test('the year end and leap days need no special care', () => {
  expect(nextReading(7, '2025-12-31', '2025-12-31')).toEqual(slotOf(7, '2026-01-01'));
  expect(nextReading(7, '2028-02-28', '2028-02-28')).toEqual(slotOf(7, '2028-02-29'));
});

const id = 7;
const now = new Date('2026-03-10T09:00:00Z');
const read = (readAt: string) => ({ subtitle: 'Work in peace', read_at: new Date(readAt) });

test('a listing is read again the next day, in its own slot', () => {
  expect(nextReadingOfNewListing(id, read('2026-03-10T08:59:00Z'), now)).toEqual(slotOf(id, '2026-03-11'));
  expect(nextReadingOfListing(id, new Date('2026-03-10T08:59:00Z'), '2026-03-10')).toEqual(
    slotOf(id, '2026-03-11'),
  );
});

test('a reading from the day before does not count as today’s', () => {
  expect(nextReadingOfNewListing(id, read('2026-03-09T23:00:00Z'), now)).toEqual(slotOf(id, '2026-03-10'));
});

test('a listing with an unknown subtitle is due immediately', () => {
  const unknown = { subtitle: null, read_at: now };
  expect(nextReadingOfNewListing(id, unknown, now)).toEqual(now);
});

test('a reading that crosses midnight counts for the day on which it ends', () => {
  expect(nextReadingOfListing(id, new Date('2026-03-11T00:00:01Z'), '2026-03-10')).toEqual(
    slotOf(id, '2026-03-12'),
  );
});

test('a store that answers with an old reading is not called again the same day', () => {
  expect(nextReadingOfListing(id, new Date('2026-03-08T12:00:00Z'), '2026-03-10')).toEqual(
    slotOf(id, '2026-03-11'),
  );
});
