import fc from 'fast-check';
import type { Neighbors } from './neighbors.ts';
import { gainOf, type RelevanceTerm, relevanceOf, relevanceParts } from './relevance.ts';
import { rankOn, type TermPage } from './term-page.ts';

const noNeighbors: Neighbors = new Map();
const others = (count: number, prefix = 'other') =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at}`);

type Given = Partial<Omit<RelevanceTerm, 'page'>> & {
  genres?: TermPage['genres'];
  isCut?: boolean;
  neighbors?: Neighbors;
  genreKey?: string | null;
};

/** The proofs of a term with these apps on its page; the app is `own`, of the genre 6007. */
function parts(ids: readonly string[], given: Given = {}) {
  const { genres = null, isCut = false, neighbors = noNeighbors, genreKey = '6007', ...rest } = given;
  const page: TermPage = { app_ids: ids, genres };
  if (isCut) page.is_cut = true;
  const term = { form: 'term', rank: rankOn(page, 'own'), said: null, isSuspected: false, page, ...rest };
  return relevanceParts(term, genreKey, neighbors);
}
const relevance = (ids: readonly string[], given: Given = {}) => relevanceOf(parts(ids, given)) ?? Number.NaN;
const ranked = (rank: number) => [...others(rank - 1), 'own', ...others(100 - rank, 'after')];
const toNeighbors = (ids: readonly string[]): Neighbors => new Map(ids.map((id) => [id, null]));

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

  test('a rank for another form counts as well', () => {
    expect(parts(others(100), { rank: 10 }).own).toBe(0.5);
    expect(parts([], { rank: 10 }).own).toBe(0.5);
  });

  test('an app that is not among the ids of a cut page may follow: its rank is unknown, not 0', () => {
    expect(parts(others(20)).own).toBe(0);
    expect(parts(others(20), { isCut: true }).own).toBeNull();
    expect(parts(['own', ...others(19)], { isCut: true }).own).toBe(1);
  });

  test('three neighbors among the first ten are enough, one is a third of that', () => {
    const near = (count: number) => relevance(others(20), { neighbors: toNeighbors(others(count)) });
    expect(near(3)).toBe(1);
    expect(near(1)).toBeCloseTo(1 / 3, 9);
    expect(near(0)).toBe(0);
  });

  test('neighbors after the tenth do not matter', () => {
    expect(relevance(others(20), { neighbors: toNeighbors(['other 10']) })).toBe(0);
  });

  test('an app is a neighbor because of a term of another form than this one', () => {
    expect(relevance(others(10), { neighbors: new Map([['other 0', 'term']]) })).toBe(0);
    expect(relevance(others(10), { neighbors: new Map([['other 0', 'another']]) })).toBeCloseTo(1 / 3, 9);
  });

  test('half of the first ten in the genre of the app prove .2, a gain of .25; unknown genres are left out', () => {
    const genres = (own: number, other: number) => [
      { key: '6007', apps: own },
      { key: '6014', apps: other },
    ];
    expect(relevance(others(10), { genres: genres(5, 5) })).toBe(0.2);
    expect(relevance(others(10), { genres: genres(10, 0) })).toBe(0.2);
    expect(gainOf(0.2)).toBeCloseTo(0.25, 9);
    expect(relevance(others(10), { genres: genres(1, 3) })).toBe(0.1);
    expect(relevance(others(10), { genres: genres(2, 0) })).toBe(0.2);
    expect(parts(others(10), { genres: [] }).kind).toBeNull();
  });

  test('without a genre of the app, genres prove nothing', () => {
    expect(parts(others(10), { genreKey: null, genres: [{ key: '6007', apps: 10 }] }).kind).toBeNull();
  });

  test('on an empty page all parts are 0, apart from what the description says', () => {
    const given = { neighbors: toNeighbors(['other 0']), genres: [] };
    expect(parts([], given)).toEqual({ own: 0, near: 0, said: null, kind: 0 });
    expect(relevance([], { ...given, said: 0.3 })).toBe(0.3);
  });

  test('around the suspected brand of a rival, the other apps prove nothing', () => {
    const given = {
      neighbors: toNeighbors(others(4)),
      genres: [{ key: '6007', apps: 4 }],
      isSuspected: true,
    };
    expect(parts(others(4), { ...given, said: 0.5 })).toEqual({ own: 0, near: null, said: 0.5, kind: null });
    expect(relevance(others(4), given)).toBe(0);
  });
});

test.each([
  [0, 0],
  [0.1, 0],
  [0.3, 0.5],
  [0.5, 1],
  [1, 1],
  [null, 1],
])('a relevance of %p has the gain %d', (value, expected) => {
  expect(gainOf(value)).toBeCloseTo(expected, 9);
});

describe('for any page', () => {
  const ids = fc.shuffledSubarray(['own', ...others(14)]);
  const neighborIds = fc.subarray(others(14));
  const genres = fc.option(
    fc.array(fc.record({ key: fc.constantFrom('6007', '6014', '6002'), apps: fc.nat(5) }), { maxLength: 1 }),
  );
  const said = fc.constantFrom(null, 0, 0.3, 0.5);

  test('relevance and gain are from 0 to 1, and where the app is first both are 1', () => {
    fc.assert(
      fc.property(ids, neighborIds, genres, said, (list, near, known, saidPart) => {
        const value = relevance(list, { genres: known, neighbors: toNeighbors(near), said: saidPart });
        for (const one of [value, gainOf(value)]) expect(one >= 0 && one <= 1).toBe(true);
        if (list[0] === 'own') expect([value, gainOf(value)]).toEqual([1, 1]);
      }),
    );
  });

  test('the genre alone gives a gain of a quarter at most', () => {
    fc.assert(
      fc.property(ids, genres, (list, known) => {
        expect(gainOf(relevance(list, { rank: null, genres: known }))).toBeLessThanOrEqual(0.25 + 1e-9);
      }),
    );
  });

  test('what is not known is null, never 0: a rank beyond a cut page, and what the apps around a suspected brand prove', () => {
    const rank = fc.option(fc.integer({ min: 1, max: 100 }), { freq: 2 });
    fc.assert(
      fc.property(
        ids,
        neighborIds,
        rank,
        fc.boolean(),
        fc.boolean(),
        (list, near, own, isCut, isSuspected) => {
          const known = [{ key: '6007', apps: 5 }];
          const given = { rank: own, isCut, isSuspected, neighbors: toNeighbors(near), genres: known };
          const found = parts(list, given);
          expect(found.own === null).toBe(own === null && isCut);
          expect([found.near === null, found.kind === null]).toEqual([isSuspected, isSuspected]);
          if (list.length === 0 && !isSuspected) expect(found).toMatchObject({ near: 0, kind: 0 });
        },
      ),
    );
  });

  test('a better own rank never lowers it', () => {
    const rank = fc.option(fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(ids, rank, rank, genres, said, (list, a, b, known, saidPart) => {
        const at = (own: number | null) => relevance(list, { rank: own, genres: known, said: saidPart });
        const [better, worse] = (a ?? 101) < (b ?? 101) ? [a, b] : [b, a];
        expect(at(better)).toBeGreaterThanOrEqual(at(worse));
      }),
    );
  });

  test('one more neighbor, or a word said, never lowers it', () => {
    fc.assert(
      fc.property(ids, neighborIds, genres, fc.constantFrom(...others(14)), (list, near, known, more) => {
        const of = (neighbors: readonly string[], saidPart: number) =>
          relevance(list, { genres: known, neighbors: toNeighbors(neighbors), said: saidPart });
        expect(of([...near, more], 0)).toBeGreaterThanOrEqual(of(near, 0));
        expect(of(near, 0.3)).toBeGreaterThanOrEqual(of(near, 0));
        expect(of(near, 0.5)).toBeGreaterThanOrEqual(of(near, 0.3));
      }),
    );
  });
});
