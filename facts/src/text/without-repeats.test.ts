import { withoutRepeats } from './without-repeats.ts';

test('of keywords with the same normal form the first is left, as it was sent', () => {
  expect(withoutRepeats(['Habit  Tracker', 'mood', 'habit tracker', 'MOOD', 'sleep'], 'en-US')).toEqual([
    'Habit  Tracker',
    'mood',
    'sleep',
  ]);
  expect(withoutRepeats([], 'en-US')).toEqual([]);
});

test('the language decides what is the same', () => {
  expect(withoutRepeats(['ISI', 'isi'], 'en-US')).toEqual(['ISI']);
  expect(withoutRepeats(['ISI', 'isi'], 'tr-TR')).toEqual(['ISI', 'isi']);
});
