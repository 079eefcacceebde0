import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { planRead, planWatched } from './listing-plan.ts';

const id = 7;
const now = new Date('2026-03-10T09:00:00Z');
const read = (readAt: string) => ({ subtitle: 'Work in peace', read_at: new Date(readAt) });

test('a listing that was read is read again on the next day, at its own moment', () => {
  expect(planWatched(id, read('2026-03-10T08:59:00Z'), now)).toEqual(slotOf(id, '2026-03-11'));
  expect(planRead(id, read('2026-03-10T08:59:00Z'), '2026-03-10')).toEqual(slotOf(id, '2026-03-11'));
});

test('a reading that was served from the day before does not stand in for today', () => {
  expect(planWatched(id, read('2026-03-09T23:00:00Z'), now)).toEqual(slotOf(id, '2026-03-10'));
});

test('a subtitle that is not known makes a listing due at once', () => {
  const unknown = { subtitle: null, read_at: now };
  expect(planWatched(id, unknown, now)).toEqual(now);
});

test('a reading that crosses midnight counts for the day that it ends on', () => {
  expect(planRead(id, read('2026-03-11T00:00:01Z'), '2026-03-10')).toEqual(slotOf(id, '2026-03-12'));
});

test('a store that answers with an old reading is not asked again the same day', () => {
  expect(planRead(id, read('2026-03-08T12:00:00Z'), '2026-03-10')).toEqual(slotOf(id, '2026-03-11'));
});
