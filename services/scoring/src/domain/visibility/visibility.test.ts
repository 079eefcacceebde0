import fc from 'fast-check';
import { clickShare, type RankedTerm, visibility } from './visibility.ts';

const traffic = fc.integer({ min: 0, max: 100 });
const rank = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 }), fc.constant(null));
const read = fc.record({ traffic, rank });
const sometimesRead: fc.Arbitrary<RankedTerm> = fc.record({
  traffic,
  rank: fc.oneof(rank, rank, rank, rank, fc.constant(undefined)),
});

/** The terms five times: the score of as many equal ones is the same, and fewer than five have none. */
const fiveTimes = (terms: readonly RankedTerm[]) => [1, 2, 3, 4, 5].flatMap(() => terms);

test('worked by hand', () => {
  // Terms at rank 4: 100 * sqrt(.085 / .3) = 53.22...
  expect(visibility(fiveTimes([{ traffic: 70, rank: 4 }]))).toBe(53.2);
  // Of terms with equal traffic, first for half and unranked for the others: 100 * sqrt(.5) = 70.71...
  expect(
    visibility(
      fiveTimes([
        { traffic: 20, rank: 1 },
        { traffic: 20, rank: null },
      ]),
    ),
  ).toBe(70.7);
  // Rank 40: .013 * (10 / 40)^1.5 = .001625; 100 * sqrt(.001625 / .3) = 7.35...
  expect(visibility(fiveTimes([{ traffic: 0, rank: 40 }]))).toBe(7.4);
});

test('an app that is first for all its terms scores 100, an app that ranks for none 0', () => {
  fc.assert(
    fc.property(fc.array(traffic, { minLength: 5, maxLength: 50 }), (all) => {
      expect(visibility(all.map((traffic) => ({ traffic, rank: 1 })))).toBe(100);
      expect(visibility(all.map((traffic) => ({ traffic, rank: null })))).toBe(0);
    }),
  );
});

test('visibility is a number from 0 to 100 with one decimal', () => {
  fc.assert(
    fc.property(fc.array(read, { minLength: 5, maxLength: 50 }), (terms) => {
      const score = visibility(terms) ?? Number.NaN;
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(Math.round(score * 10) / 10).toBe(score);
    }),
  );
});

test('a better rank for any term never lowers it', () => {
  fc.assert(
    fc.property(fc.array(read, { minLength: 5, maxLength: 50 }), fc.nat(), rank, (terms, at, other) => {
      const index = at % terms.length;
      const changed = terms.map((term, position) => (position === index ? { ...term, rank: other } : term));
      const [worse, better] = isBetter(other, terms[index]?.rank ?? null)
        ? [terms, changed]
        : [changed, terms];
      expect(visibility(better) ?? 0).toBeGreaterThanOrEqual(visibility(worse) ?? 0);
    }),
  );
});

function isBetter(rank: number | null, than: number | null): boolean {
  return (rank ?? Number.POSITIVE_INFINITY) < (than ?? Number.POSITIVE_INFINITY);
}

test('a term without a result page is left out; with fewer than five terms, or 80 % of the searches, there is no score', () => {
  const searchesOf = (terms: readonly RankedTerm[]) =>
    terms.reduce((sum, { traffic }) => sum + Math.exp(0.0615 * traffic), 0);
  fc.assert(
    fc.property(fc.array(sometimesRead, { maxLength: 20 }), (terms) => {
      const read = terms.filter(({ rank }) => rank !== undefined);
      const isEnough = terms.length >= 5 && searchesOf(read) >= 0.8 * searchesOf(terms) - 1e-9;
      // Repeated until there are five terms; the score does not depend on their number.
      expect(visibility(terms)).toBe(isEnough ? visibility(fiveTimes(read)) : null);
    }),
  );
});

test('below 80 % of the searches of the basket there is no score', () => {
  const terms = (read: number) =>
    Array.from({ length: 5 }, (_, at) => ({ traffic: 50, rank: at < read ? 1 : undefined }));
  expect(visibility(terms(4))).toBe(100);
  expect(visibility(terms(3))).toBeNull();
  expect(visibility(terms(1))).toBeNull();
  // Of five terms the one with nearly all searches is read.
  expect(visibility([{ traffic: 100, rank: 1 }, ...terms(0).slice(1)])).toBe(100);
});

test('without any result page there is no score', () => {
  expect(visibility([])).toBeNull();
  expect(visibility(fiveTimes([{ traffic: 50, rank: undefined }]))).toBeNull();
});

test('fewer than five terms have no score, however well the app ranks', () => {
  const all = fiveTimes([{ traffic: 90, rank: 1 }]);
  expect(visibility(all)).toBe(100);
  for (let count = 0; count < 5; count++) expect(visibility(all.slice(0, count))).toBeNull();
});

test('the higher a term’s traffic, the more its rank counts', () => {
  const first = { traffic: 60, rank: 1 };
  const missed = { traffic: 20, rank: null };
  const score = visibility(fiveTimes([first, missed])) ?? 0;
  expect(
    visibility(
      fiveTimes([
        { ...first, traffic: 20 },
        { ...missed, traffic: 60 },
      ]),
    ),
  ).toBeLessThan(score);
});

test('the click share falls from rank to rank and is 0 after rank 100', () => {
  for (let rank = 1; rank < 100; rank++) expect(clickShare(rank)).toBeGreaterThan(clickShare(rank + 1));
  expect(clickShare(10)).toBe(0.013);
  expect(clickShare(100)).toBeCloseTo(0.000411, 6);
  expect([clickShare(101), clickShare(null)]).toEqual([0, 0]);
});
