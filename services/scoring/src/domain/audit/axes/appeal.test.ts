import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { soundContext } from '../../../../test/build-audit-input.ts';
import { ratingCounts } from '../../../../test/build-reading.ts';
import type { AuditContext } from '../audit-input.ts';
import { appealOf } from './appeal.ts';

const unpublished: AuditContext = {
  rating: null,
  rating_count: 0,
  installs: null,
  screenshots: 0,
  days_since_update: null,
  age_months: null,
  has_video: false,
  language_count: 1,
};

function appeal(changes: Partial<AuditContext>, store: Store = 'ITUNES'): number {
  return appealOf(store, { ...soundContext, has_video: false, language_count: 1, ...changes });
}

describe('worked examples', () => {
  test('five stars from many users, all screenshots and a recent release make 100', () => {
    expect(appeal({ rating: 5, rating_count: 1_000_000, screenshots: 6, days_since_update: 30 })).toBe(100);
  });

  test('an unpublished listing gets the lowest score', () => {
    expect(appealOf('ITUNES', unpublished)).toBe(5);
    expect(appealOf('GPLAY', unpublished)).toBe(5);
  });

  test('few ratings count less: ten ratings of 4.5 count like 4.0, and a quarter of that is held back', () => {
    // (10 * 4.5 + 35) / 20 = 4.0 -> 50; * (.5 + .5 * log10(11) / 2) = 38.02; 38.02^.45 * 100^.55
    expect(appeal({ rating: 4.5, rating_count: 10, days_since_update: 0 })).toBe(65);
  });

  test('half of the target number of screenshots gives three quarters of their points', () => {
    // 100 * (1 - .5^2) = 75; rating 100: 75^.3 * 100^.7
    const rated = { rating: 5, rating_count: 1e9, days_since_update: 0 };
    expect(appeal({ ...rated, screenshots: 3 }, 'ITUNES')).toBe(92);
    expect(appeal({ ...rated, screenshots: 4 }, 'GPLAY')).toBe(92);
    expect(appeal({ ...rated, screenshots: 7 }, 'GPLAY')).toBe(100);
  });

  test.each([
    [30, 100],
    [90, 95],
    [180, 84],
    [365, 67],
    [730, 47],
    [5_000, 47],
  ])('%p days after the update an otherwise perfect listing scores %p', (daysSinceUpdate, expected) => {
    // freshness 100, 80, 50, 20 and 5, each ^.25
    expect(appeal({ rating: 5, rating_count: 1e9, days_since_update: daysSinceUpdate })).toBe(expected);
  });

  test('an unknown update date is left out', () => {
    // 5^(.45/.75) * 100^(.30/.75)
    expect(appeal({ rating: null, days_since_update: null })).toBe(17);
  });

  test('with an unknown number of ratings the average counts unchanged', () => {
    // 85^.45 * 100^.55
    expect(appeal({ rating: 4.5, rating_count: null, days_since_update: 0 })).toBe(93);
  });

  test('a video adds 5 points; further languages add 1 each, 5 together at most', () => {
    expect(appealOf('ITUNES', { ...unpublished, has_video: true })).toBe(10);
    expect(appealOf('ITUNES', { ...unpublished, has_video: null })).toBe(5);
    expect(appealOf('ITUNES', { ...unpublished, language_count: 3 })).toBe(7);
    expect(appealOf('GPLAY', { ...unpublished, language_count: null })).toBe(5);
    expect(appealOf('ITUNES', { ...unpublished, language_count: 40 })).toBe(10);
  });

  test('the same bad average scores lower with more ratings, because it is more certain', () => {
    expect(appeal({ rating: 2, rating_count: 1_000 })).toBeLessThan(appeal({ rating: 2, rating_count: 5 }));
  });
});

describe('for any listing', () => {
  const stars = fc.integer({ min: 10, max: 50 }).map((tenths) => tenths / 10);
  const context: fc.Arbitrary<AuditContext> = fc.record({
    rating: fc.option(stars),
    rating_count: fc.option(ratingCounts),
    installs: fc.constant(null),
    screenshots: fc.nat(12),
    days_since_update: fc.option(fc.nat(1_000)),
    age_months: fc.constant(null),
    has_video: fc.option(fc.boolean()),
    language_count: fc.option(fc.integer({ min: 1, max: 40 })),
  });
  const store = fc.constantFrom<Store>(...stores);

  test('appeal is a whole number from 5 to 100', () => {
    fc.assert(
      fc.property(store, context, (on, any) => {
        const value = appealOf(on, any);
        expect(Number.isInteger(value) && value >= 5 && value <= 100).toBe(true);
      }),
    );
  });

  test.each<[string, (before: AuditContext, more: number) => Partial<AuditContext>]>([
    [
      'more stars',
      ({ rating }, more) => ({ rating: rating === null ? null : Math.min(5, rating + more / 10) }),
    ],
    ['more screenshots', ({ screenshots }, more) => ({ screenshots: (screenshots ?? 0) + more })],
    [
      'more languages',
      ({ language_count: languageCount }, more) => ({ language_count: (languageCount ?? 1) + more }),
    ],
    ['a video', () => ({ has_video: true })],
    [
      'a newer update',
      ({ days_since_update: days }, more) => ({
        days_since_update: days === null ? null : Math.max(0, days - more),
      }),
    ],
  ])('%s never lower appeal', (_, change) => {
    fc.assert(
      fc.property(store, context, fc.nat(40), (on, before, more) => {
        const after = { ...before, ...change(before, more) };
        expect(appealOf(on, after)).toBeGreaterThanOrEqual(appealOf(on, before));
      }),
    );
  });

  test('more ratings of an average of 3.5 or better never lower appeal', () => {
    fc.assert(
      fc.property(store, context, ratingCounts, (on, before, more) => {
        fc.pre(before.rating !== null && before.rating >= 3.5 && before.rating_count !== null);
        const after = { ...before, rating_count: before.rating_count + more };
        expect(appealOf(on, after)).toBeGreaterThanOrEqual(appealOf(on, before));
      }),
    );
  });

  test('one more five-star rating never lowers appeal, however bad the average', () => {
    fc.assert(
      fc.property(store, context, (on, before) => {
        const { rating, rating_count: count } = before;
        fc.pre(rating !== null && count !== null);
        const after = { ...before, rating: (rating * count + 5) / (count + 1), rating_count: count + 1 };
        expect(appealOf(on, after)).toBeGreaterThanOrEqual(appealOf(on, before));
      }),
    );
  });
});
