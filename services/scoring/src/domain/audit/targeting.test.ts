import type { Tier } from '@shelfwise/facts/tiers';
import fc from 'fast-check';
import { searched, ungraded, unsearched } from '../../../test/build-audit-input.ts';
import type { AimedTerm } from './aimed-terms.ts';
import type { TermScore } from './audit-input.ts';
import { targetingOf, verdictOf } from './targeting.ts';

function aimed(...scores: TermScore[]): AimedTerm[] {
  return scores.map(({ search_status: searchStatus, ...score }, at) => {
    return { ...score, searchStatus, name: `term ${at}`, field: 'title' };
  });
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
  const pending: TermScore = { traffic: null, difficulty: null, search_status: 'pending', brand: null };
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
  expect(verdictOf(tier, difficulty)).toBe(verdict);
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
          expect(rank[verdictOf(2, difficulty)]).toBeGreaterThanOrEqual(rank[verdictOf(1, difficulty)]);
          expect(rank[verdictOf(3, difficulty)]).toBeGreaterThanOrEqual(rank[verdictOf(2, difficulty)]);
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
