import type { Tier } from '@shelfwise/facts/tiers';
import fc from 'fast-check';
import { searched, ungraded, unsearched } from '../../../test/build-audit-input.ts';
import type { AimedTerm } from './aimed-terms.ts';
import type { TermScore } from './audit-input.ts';
import { targetingOf, verdictOf } from './targeting.ts';

function aimed(...scores: TermScore[]): AimedTerm[] {
  return scores.map(({ search_status: searchStatus, ...score }, at) => {
    return { ...score, ...unknownFit, searchStatus, name: `term ${at}`, field: 'title' };
  });
}

const unknownFit = { relevance: null, gain: 1, rank: null };

/** A term with traffic 40 and this difficulty, gain and rank. */
function fitting(difficulty: number, fit: { gain?: number; rank?: number | null }): AimedTerm {
  return { ...(aimed(searched(40, difficulty))[0] as AimedTerm), ...fit };
}

test.each([
  [1, 35],
  [2, 55],
  [3, 75],
] as const)('at tier %p a term of difficulty %p earns half of the credit', (tier, difficulty) => {
  expect(targetingOf(tier, aimed(searched(40, difficulty)))).toBe(50);
});

test('terms are weighted by their traffic', () => {
  // tier 1: (60 / (1 + e^2.5) + 20 / (1 + e^-1.25)) / 80 = (4.551 + 15.546) / 80
  expect(targetingOf(1, aimed(searched(60, 55), searched(20, 25)))).toBe(25);
});

test('ungraded terms do not count, and without any graded term there is no score', () => {
  const pending: TermScore = {
    traffic: null,
    difficulty: null,
    search_status: 'pending',
    brand: null,
    page: null,
  };
  expect(targetingOf(1, aimed(searched(40, 35), ungraded(90), unsearched, pending))).toBe(50);
  expect(targetingOf(1, aimed(ungraded(90), unsearched, pending))).toBeNull();
  expect(targetingOf(3, [])).toBeNull();
});

test.each([
  [1, 25, 'reachable'],
  [1, 26, 'ambitious'],
  [1, 45, 'ambitious'],
  [1, 46, 'out-of-reach'],
  [2, 45, 'reachable'],
  [2, 46, 'ambitious'],
  [2, 65, 'ambitious'],
  [2, 66, 'out-of-reach'],
  [3, 65, 'reachable'],
  [3, 66, 'ambitious'],
  [3, 85, 'ambitious'],
  [3, 86, 'out-of-reach'],
] as const)('at tier %p a term of difficulty %p is %s', (tier, difficulty, verdict) => {
  expect(verdictOf(tier, { difficulty, rank: null })).toBe(verdict);
  expect(verdictOf(tier, { difficulty, rank: 31 })).toBe(verdict);
});

test.each([
  [1, 'reachable', 100],
  [3, 'reachable', 100],
  [4, 'reachable', 90],
  [10, 'reachable', 90],
  [11, 'ambitious', 60],
  [30, 'ambitious', 60],
  [31, 'out-of-reach', 30],
  [100, 'out-of-reach', 30],
  [null, 'out-of-reach', 0],
] as const)(
  'an app that ranks %p for a term beyond its reach: %s, %p %% of the credit',
  (rank, verdict, share) => {
    expect(verdictOf(1, { difficulty: 100, rank })).toBe(verdict);
    expect(targetingOf(1, [fitting(100, { rank })])).toBe(share);
  },
);

test('a rank never makes a term worse than its difficulty says', () => {
  expect(verdictOf(1, { difficulty: 20, rank: 99 })).toBe('reachable');
  expect(targetingOf(1, [fitting(35, { rank: 99 })])).toBe(50);
});

test('a term that is not the app’s business costs rather than helps', () => {
  // 40 * 1 * .5 / 40; with another term of gain 0: 20 / 80
  expect(targetingOf(1, [fitting(35, {})])).toBe(50);
  expect(targetingOf(1, [fitting(35, {}), fitting(35, { gain: 0 })])).toBe(25);
  expect(targetingOf(1, [fitting(35, { gain: 0.5 })])).toBe(25);
});

test('dropping a term that the app ranks 1 to 3 for never raises targeting', () => {
  const anyTerm = fc
    .record({
      difficulty: fc.nat(100),
      gain: fc.double({ min: 0, max: 1, noNaN: true }),
      rank: fc.option(fc.integer({ min: 1, max: 100 })),
    })
    .map(({ difficulty, ...fit }) => fitting(difficulty, fit));
  fc.assert(
    fc.property(
      fc.array(anyTerm, { minLength: 1 }),
      fc.nat(100),
      fc.constantFrom(1, 2, 3),
      (others, difficulty, rank) => {
        // At rank 3 or better the relevance is over .5, so the gain is 1.
        const held = fitting(difficulty, { gain: 1, rank });
        expect(targetingOf(2, others)).toBeLessThanOrEqual(targetingOf(2, [...others, held]) as number);
      },
    ),
  );
});

describe('for any terms', () => {
  const tier = fc.constantFrom<Tier>(1, 2, 3);
  const term = fc.tuple(fc.integer({ min: 5, max: 100 }), fc.nat(100));
  const terms = fc.array(term, { minLength: 1, maxLength: 20 });
  const score = (at: Tier, scores: [number, number][]) =>
    targetingOf(at, aimed(...scores.map(([traffic, difficulty]) => searched(traffic, difficulty)))) ??
    Number.NaN;

  test('targeting is a whole number from 0 to 100', () => {
    fc.assert(
      fc.property(tier, terms, (at, scores) => {
        const value = score(at, scores);
        expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
      }),
    );
  });

  test('harder terms never raise targeting', () => {
    fc.assert(
      fc.property(tier, terms, fc.nat(100), fc.nat(19), (at, scores, harder, which) => {
        const after = scores.map(([traffic, difficulty], index): [number, number] => [
          traffic,
          index === which % scores.length ? Math.min(100, difficulty + harder) : difficulty,
        ]);
        expect(score(at, after)).toBeLessThanOrEqual(score(at, scores));
      }),
    );
  });

  test('a higher tier never lowers targeting or a verdict', () => {
    const rank = { 'out-of-reach': 0, ambitious: 1, reachable: 2 };
    fc.assert(
      fc.property(terms, (scores) => {
        expect(score(2, scores)).toBeGreaterThanOrEqual(score(1, scores));
        expect(score(3, scores)).toBeGreaterThanOrEqual(score(2, scores));
        for (const [, difficulty] of scores) {
          const at = (one: Tier) => rank[verdictOf(one, { difficulty, rank: null })];
          expect(at(2)).toBeGreaterThanOrEqual(at(1));
          expect(at(3)).toBeGreaterThanOrEqual(at(2));
        }
      }),
    );
  });

  test('the order of the terms does not matter', () => {
    fc.assert(
      fc.property(tier, terms, (at, scores) => {
        expect(score(at, scores.toReversed())).toBe(score(at, scores));
      }),
    );
  });
});
