import fc from 'fast-check';
import { evenlyBetween } from '../../../../testing/evenly-between.ts';
import { apps, buildApp, buildPage, readAt } from '../../test/build-reading.ts';
import { difficultyOf } from '../domain/keyword/difficulty.ts';
import { topResultsOf } from '../domain/keyword/top-result.ts';
import { detailsOfListing } from './details-of-listing.ts';

const shown = { genre: 'Productivity', installs: 50, updated_at: readAt, unreadable: [] };

test('an app whose page shows no ratings at all has none', () => {
  expect(detailsOfListing({ ...shown, score: null, ratings: null })).toMatchObject({
    rating: null,
    ratings: 0,
  });
  expect(detailsOfListing(shown)).toMatchObject({ rating: null, ratings: 0 });
});

test('an average without a count means that the number of ratings is unknown', () => {
  expect(detailsOfListing({ ...shown, score: 4.5 })).toMatchObject({ rating: 4.5, ratings: null });
});

test('ratings that could not be read are unknown, not 0', () => {
  const unread = { ...shown, score: null, ratings: null, unreadable: ['score', 'ratings'] };
  expect(detailsOfListing(unread)).toMatchObject({ rating: null, ratings: null });
});

test('values on the page are used unchanged, and missing values are unknown', () => {
  const rated = {
    genre: 'Tools',
    genre_key: 'TOOLS',
    score: 4.2,
    ratings: 77,
    installs: 1000,
    updated_at: readAt,
  };
  const { score, ...rest } = rated;
  expect(detailsOfListing({ ...rated, unreadable: [] })).toEqual({ ...rest, rating: score });
  expect(detailsOfListing({ genre: 'Tools', unreadable: [] })).toMatchObject({
    genre_key: null,
    installs: null,
    updated_at: null,
  });
});

test('an app that shows no ratings, then 0, then its first one never becomes easier to beat', () => {
  const stars = evenlyBetween(1, 5);
  fc.assert(
    fc.property(fc.array(apps, { minLength: 1, maxLength: 10 }), fc.nat(9), stars, (list, at, score) => {
      const difficultyWith = (rated: { score: number | null; ratings: number | null }) => {
        const details = detailsOfListing({ ...shown, ...rated });
        const page = buildPage(list.map((app, index) => (index === at ? { ...app, ...details } : app)));
        return difficultyOf(topResultsOf('photo editor', page, 'en'), readAt)?.score ?? -1;
      };
      const unshown = difficultyWith({ score: null, ratings: null });
      const none = difficultyWith({ score: null, ratings: 0 });
      expect(none).toBeGreaterThanOrEqual(unshown);
      expect(difficultyWith({ score, ratings: 1 })).toBeGreaterThanOrEqual(none);
    }),
    { numRuns: 500 },
  );
});

test('ten unrated apps have no strength, rather than an unknown strength', () => {
  const unrated = detailsOfListing({ ...shown, score: null, ratings: null });
  const page = buildPage(Array.from({ length: 10 }, () => ({ ...buildApp(), ...unrated })));
  const parts = difficultyOf(topResultsOf('photo editor', page, 'en'), readAt)?.parts;
  expect(parts).toMatchObject({ A: 0, S: 0, Q: 0, cap: 15 });
});
