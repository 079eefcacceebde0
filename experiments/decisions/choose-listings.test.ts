import { chooseListings, eligibleListings } from './choose-listings.ts';
import type { StoreApp } from './store-app.ts';

const app = (changed: Partial<StoreApp> = {}): StoreApp => ({
  id: 2,
  title: 'Streaks: Habit Tracker',
  genre: 'Productivity',
  ratings: 800,
  score: 4.5,
  description: 'Build habits.',
  ...changed,
});

test.each([
  ['Streaks: Habit Tracker', 'Streaks', 'Habit Tracker'],
  ['Evernote - stay organized', 'Evernote', 'stay organized'],
  ['Nerve — Truth or Dare', 'Nerve', 'Truth or Dare'],
  ['Solitaire by MobilityWare Games', 'Solitaire', 'MobilityWare Games'],
])('%s is a brand and a tail', (title, brand, tail) => {
  const listing = app({ title });
  expect(eligibleListings([listing])).toEqual([{ app: listing, brand, tail }]);
});

test.each([
  ['a game', { genre: 'Games' }],
  ['an app with few ratings', { ratings: 799 }],
  ['a title in another script', { title: 'Streaks: Habit Tracker 習慣' }],
  ['a title without a tail', { title: 'Streaks' }],
  ['a short tail', { title: 'Streaks: Habit X' }],
  ['a tail with one word that names something', { title: 'Streaks: Productivity for you' }],
  ['a short brand', { title: 'TV: Habit Tracker' }],
  ['a brand of three words', { title: 'My Old Streaks: Habit Tracker' }],
])('%s cannot be used', (_, changed) => {
  expect(eligibleListings([app(changed)])).toEqual([]);
});

test('a half has the listings with such a store id, in an order that does not depend on that of the file', () => {
  const apps = Array.from({ length: 40 }, (_, index) => app({ id: 1000 + index }));
  const eligible = eligibleListings(apps);
  const ids = (...args: Parameters<typeof chooseListings>) =>
    chooseListings(...args).map(({ app }) => app.id);
  const even = ids(eligible, 'even', 100);
  expect(even).toHaveLength(20);
  expect(even.every((id) => id % 2 === 0)).toBe(true);
  expect(even).not.toEqual(even.toSorted());
  expect(ids(eligible.toReversed(), 'even', 100)).toEqual(even);
  expect(ids(eligible, 'even', 7)).toEqual(even.slice(0, 7));
  expect(new Set([...even, ...ids(eligible, 'odd', 100)])).toEqual(new Set(ids(eligible, 'all', 100)));
});
