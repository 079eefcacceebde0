import { eligibleListings } from './choose-listings.ts';
import { createDeveloperOf, ownDeveloperOf } from './developers.ts';
import { createSearch } from './search.ts';
import type { StoreApp } from './store-app.ts';
import { createSubtitles } from './subtitles.ts';
import { createSuggest } from './suggest.ts';

const app = (
  id: number,
  title: string,
  { genre = 'Productivity', ratings = 1000, description = '' } = {},
) => ({
  id,
  title,
  genre,
  ratings,
  description,
  score: 4.5,
});
const streaks = app(2, 'Streaks: Habit Tracker', { ratings: 9000, description: 'Routines that stay.' });
const apps: StoreApp[] = [
  streaks,
  app(3, 'Habitly - Habit Tracker', { ratings: 5000 }),
  app(4, 'Todoer - Task Planner', { ratings: 90_000 }),
  app(5, 'Noter - Routine Checklist'),
  app(6, 'Wayfarer: Train Timetable', { genre: 'Travel' }),
  app(7, 'Wanderer: Hotel Bookings', { genre: 'Travel', description: 'A habit of travelers.' }),
];
const eligible = eligibleListings(apps);
const listing = { app: streaks, brand: 'Streaks', tail: 'Habit Tracker' };
const search = createSearch(apps);
const found = (term: string) => search(term, listing).map(({ id }) => id);

describe('search', () => {
  test('the app of the listing is found by its brand only, every other app by its title and description', () => {
    expect(found('streaks')).toEqual([2]);
    expect(found('habit tracker')).toEqual([3]);
    expect(found('habit')).toEqual([3, 7]);
    expect(search('habit tracker', { app: apps[2] as StoreApp, brand: 'Todoer', tail: '' })).toContain(
      streaks,
    );
  });

  test('a phrase of its full title that holds a word of its brand lifts the app of the listing', () => {
    const rival = app(8, 'Streaks Counter', { ratings: 90_000 });
    const ids = (term: string) => createSearch([...apps, rival])(term, listing).map(({ id }) => id);
    expect(ids('streaks')).toEqual([8, 2]);
    expect(ids('streaks habit')).toEqual([2, 8, 3]);
  });

  test('an app that meets too little of the term is not found; fillers are no words', () => {
    expect(found('habit of travelers')).toEqual([3, 7]);
    expect(found('habit travelers zebra')).toEqual([3]);
    expect(found('the')).toEqual([]);
  });

  test('at most 100 apps are found, those with the most ratings first, ties by id', () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      app(index + 10, 'Photo Editor', { ratings: index < 2 ? 9 : 5 }),
    );
    const ids = createSearch([...many, streaks])('photo', listing).map(({ id }) => id);
    expect(ids).toHaveLength(100);
    expect(ids.slice(0, 4)).toEqual([10, 11, 12, 13]);
  });
});

test('suggestions are phrases of titles that begin with the prefix, those of popular apps first', async () => {
  const suggest = createSuggest(apps);
  expect(await suggest('ha')).toEqual([
    'habit',
    'habit tracker',
    'habitly',
    'habitly habit',
    'habitly habit tracker',
  ]);
  expect(await suggest('habit tr')).toEqual(['habit tracker']);
  expect(await suggest('zebra')).toEqual([]);
  expect(
    (await createSuggest(Array.from({ length: 20 }, (_, id) => app(id, `Photo${id}`)))('p')).length,
  ).toBe(10);
});

describe('subtitles', () => {
  const subtitlesFor = createSubtitles(apps, eligible, search);

  test('are the own tail, tails without a word of the listing, and the brands of its rivals', () => {
    expect(subtitlesFor(listing)).toEqual({
      own: 'Habit Tracker',
      // Not `Routine Checklist`: the description says `Routines`.
      sameGenre: 'Task Planner',
      otherGenre: expect.stringMatching(/^(Train Timetable|Hotel Bookings)$/),
      names: 'Habitly',
    });
    expect(subtitlesFor(listing)).toEqual(createSubtitles(apps, eligible.toReversed(), search)(listing));
  });

  test('are null where no other listing has such a tail', () => {
    const alone = createSubtitles([streaks], [listing], createSearch([streaks]));
    expect(alone(listing)).toEqual({ own: 'Habit Tracker', sameGenre: null, otherGenre: null, names: null });
  });
});

test('a word that begins the titles of three apps is the name of one developer, other apps have their own', () => {
  const named = [1, 2, 3].map((id) => app(id, `Yahoo ${id}: News`));
  const photo = [4, 5, 6].map((id) => app(id, `Photo ${id}: Editor`));
  const developerOf = createDeveloperOf([...named, ...photo, streaks]);
  expect(new Set(named.map(developerOf)).size).toBe(1);
  expect(new Set([...photo, streaks].map(developerOf)).size).toBe(4);
  expect(new Set(named.map(ownDeveloperOf)).size).toBe(3);
});
