import type { Tier } from '@shelfwise/facts/tiers';
import fc from 'fast-check';
import { creditOf, verdictOf } from './reach.ts';

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
  expect(verdictOf(tier, { difficulty, rank: null }, true)).toBe(verdict);
  expect(verdictOf(tier, { difficulty, rank: 31 }, true)).toBe(verdict);
  expect(verdictOf(tier, { difficulty, rank: null }, false)).toBe('out-of-reach');
});

test.each([
  [1, 35],
  [2, 55],
  [3, 75],
] as const)('at tier %p a term of difficulty %p earns half of the credit', (tier, difficulty) => {
  expect(creditOf(tier, { difficulty, rank: null })).toBe(0.5);
  expect(creditOf(tier, { difficulty, rank: 99 })).toBe(0.5);
});

test.each([
  [1, 'reachable', 1],
  [3, 'reachable', 1],
  [4, 'reachable', 0.9],
  [10, 'reachable', 0.9],
  [11, 'ambitious', 0.6],
  [30, 'ambitious', 0.6],
  [31, 'out-of-reach', 0.3],
  [100, 'out-of-reach', 0.3],
  [null, 'out-of-reach', 0],
] as const)('an app that ranks %p for a term beyond its reach: %s, credit %p', (rank, verdict, credit) => {
  expect(verdictOf(1, { difficulty: 100, rank }, true)).toBe(verdict);
  expect(creditOf(1, { difficulty: 100, rank })).toBeCloseTo(credit, 3);
});

test('a rank never makes a term worse than its difficulty says', () => {
  expect(verdictOf(1, { difficulty: 20, rank: 99 }, true)).toBe('reachable');
});

test('a higher tier, an easier term or a better rank never lowers the credit or the verdict', () => {
  const order = ['out-of-reach', 'ambitious', 'reachable'];
  const tier = fc.constantFrom<Tier>(1, 2, 3);
  const rank = fc.option(fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(
      fc.tuple(tier, tier),
      fc.tuple(fc.nat(100), fc.nat(100)),
      fc.tuple(rank, rank),
      (tiers, hard, ranks) => {
        const [low, high] = tiers.toSorted((a, b) => a - b) as [Tier, Tier];
        const [easier, harder] = hard.toSorted((a, b) => a - b) as [number, number];
        const [better, worse] = ranks.toSorted((a, b) => (a ?? 101) - (b ?? 101));
        const best = { difficulty: easier, rank: better ?? null };
        const worst = { difficulty: harder, rank: worse ?? null };
        expect(creditOf(high, best)).toBeGreaterThanOrEqual(creditOf(low, worst));
        const step = (at: Tier, term: typeof best) => order.indexOf(verdictOf(at, term, true));
        expect(step(high, best)).toBeGreaterThanOrEqual(step(low, worst));
      },
    ),
  );
});
