import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { ratingCounts } from '../../../../test/build-reading.ts';
import { tierOf } from './tier.ts';

const unknown = { rating_count: null, installs: null, age_months: null };

test.each([
  [0, 1],
  [999, 1],
  [1_000, 2],
  [99_999, 2],
  [100_000, 3],
  [null, 1],
])('an app with %p ratings is of tier %p', (ratingCount, tier) => {
  for (const store of stores) expect(tierOf(store, { ...unknown, rating_count: ratingCount })).toBe(tier);
});

test.each([
  [99_999, 1],
  [100_000, 2],
  [9_999_999, 2],
  [10_000_000, 3],
])('on Google Play an app with %p installs and no ratings is of tier %p', (installs, tier) => {
  expect(tierOf('GPLAY', { ...unknown, installs })).toBe(tier);
  expect(tierOf('ITUNES', { ...unknown, installs })).toBe(1);
});

test('on Google Play the higher of ratings and installs counts', () => {
  expect(tierOf('GPLAY', { ...unknown, rating_count: 100_000, installs: 5 })).toBe(3);
  expect(tierOf('GPLAY', { ...unknown, rating_count: 5, installs: 10_000_000 })).toBe(3);
});

test.each([
  [200_000, 2.9, 2],
  [200_000, 3, 3],
  [5_000, 0, 1],
  [5, 0, 1],
])('an app with %p ratings after %p months is of tier %p', (ratingCount, ageMonths, tier) => {
  expect(tierOf('ITUNES', { ...unknown, rating_count: ratingCount, age_months: ageMonths })).toBe(tier);
});

test('more ratings, installs or months never lower the tier', () => {
  const context = fc.record({
    rating_count: ratingCounts,
    installs: ratingCounts,
    age_months: fc.nat(12),
  });
  fc.assert(
    fc.property(fc.constantFrom<Store>(...stores), context, context, (store, one, more) => {
      const both = {
        rating_count: one.rating_count + more.rating_count,
        installs: one.installs + more.installs,
        age_months: one.age_months + more.age_months,
      };
      expect(tierOf(store, both)).toBeGreaterThanOrEqual(tierOf(store, one));
    }),
  );
});
