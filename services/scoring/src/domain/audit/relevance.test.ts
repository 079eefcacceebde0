import fc from 'fast-check';
import type { Neighbors } from './neighbors.ts';
import { gainOf, relevanceOf } from './relevance.ts';
import type { TermPage } from './term-page.ts';

const app = { app_id: 'own', genre_key: '6007' };
const noNeighbors: Neighbors = new Map();
const others = (count: number, prefix = 'other') =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at}`);
const page = (ids: readonly string[], genres: TermPage['genres'] = null): TermPage => ({
  app_ids: ids,
  genres,
});
const relevance = (
  ids: readonly string[],
  {
    genres = null,
    neighbors = noNeighbors,
  }: Partial<{ genres: TermPage['genres']; neighbors: Neighbors }> = {},
) => relevanceOf(app, { keyword: 'term', page: page(ids, genres) }, neighbors);
const ranked = (rank: number) => [...others(rank - 1), 'own', ...others(100 - rank, 'after')];

describe('worked examples', () => {
  test.each([
    [1, 1],
    // 1 - log10(rank) / 2
    [2, 0.8495],
    [10, 0.5],
    [30, 0.2614],
    [100, 0],
  ])('an app that ranks %i has the relevance %d', (rank, expected) => {
    expect(relevance(ranked(rank))).toBeCloseTo(expected, 4);
  });

  test('three neighbors among the first ten are enough, one is a third of that', () => {
    const near = (count: number) =>
      relevance(others(20), { neighbors: new Map(others(count).map((id) => [id, null])) });
    expect(near(3)).toBe(1);
    expect(near(1)).toBeCloseTo(1 / 3, 9);
    expect(near(0)).toBe(0);
  });

  test('neighbors after the tenth do not matter', () => {
    expect(relevance(others(20), { neighbors: new Map([['other 10', null]]) })).toBe(0);
  });

  test('an app is a neighbor because of another term than this one', () => {
    expect(relevance(others(10), { neighbors: new Map([['other 0', 'term']]) })).toBe(0);
    expect(relevance(others(10), { neighbors: new Map([['other 0', 'another']]) })).toBeCloseTo(1 / 3, 9);
  });

  test('half of the first ten in the genre of the app prove .5, also when other genres are unknown', () => {
    const genres = (own: number, other: number) => [
      { key: '6007', apps: own },
      { key: '6014', apps: other },
    ];
    expect(relevance(others(10), { genres: genres(5, 5) })).toBe(0.5);
    expect(relevance(others(10), { genres: genres(1, 3) })).toBe(0.25);
    expect(relevance(others(10), { genres: genres(2, 0) })).toBe(0.5);
    expect(relevance(others(10), { genres: [] })).toBe(0);
  });

  test('without a genre of the app, genres prove nothing', () => {
    const unknown = { ...app, genre_key: null };
    const term = { keyword: 'term', page: page(others(10), [{ key: '6007', apps: 10 }]) };
    expect(relevanceOf(unknown, term, noNeighbors)).toBe(0);
  });

  test('on an empty page nothing is relevant', () => {
    expect(relevance([], { neighbors: new Map([['other 0', null]]) })).toBe(0);
  });
});

describe('gain', () => {
  test.each([
    [0, 0],
    [0.1, 0],
    [0.3, 0.5],
    [0.5, 1],
    [1, 1],
    [null, 1],
  ])('a relevance of %p counts %d', (value, expected) => {
    expect(gainOf({ relevance: value, isRival: false })).toBeCloseTo(expected, 9);
  });

  test.each([1, 0.5, null])(
    'with a relevance of %p, the brand of another developer counts nothing',
    (value) => {
      expect(gainOf({ relevance: value, isRival: true })).toBe(0);
    },
  );
});

describe('for any page', () => {
  const ids = fc.shuffledSubarray(['own', ...others(14)], { minLength: 1 });
  const neighborIds = fc.subarray(others(14));
  const genres = fc.option(
    fc.array(fc.record({ key: fc.constantFrom('6007', '6014', '6002'), apps: fc.nat(5) }), { maxLength: 1 }),
  );
  const toNeighbors = (list: readonly string[]): Neighbors => new Map(list.map((id) => [id, null]));

  test('relevance and gain are from 0 to 1, and where the app is first both are 1', () => {
    fc.assert(
      fc.property(ids, neighborIds, genres, (list, near, known) => {
        const value = relevance(list, { genres: known, neighbors: toNeighbors(near) });
        const gain = gainOf({ relevance: value, isRival: false });
        for (const one of [value, gain]) expect(one >= 0 && one <= 1).toBe(true);
        if (list[0] === 'own') expect([value, gain]).toEqual([1, 1]);
      }),
    );
  });

  test('a better own rank never lowers it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (a, b) => {
        expect(relevance(ranked(Math.min(a, b)))).toBeGreaterThanOrEqual(relevance(ranked(Math.max(a, b))));
      }),
    );
  });

  test('one more neighbor never lowers it', () => {
    fc.assert(
      fc.property(ids, neighborIds, genres, fc.constantFrom(...others(14)), (list, near, known, more) => {
        const of = (neighbors: readonly string[]) =>
          relevance(list, { genres: known, neighbors: toNeighbors(neighbors) });
        expect(of([...near, more])).toBeGreaterThanOrEqual(of(near));
      }),
    );
  });
});
