import fc from 'fast-check';
import { createSpearman, meanRanks, spearman } from './spearman.ts';

test('equal values share the mean of their ranks', () => {
  expect(meanRanks([10, 30, 20, 20, 5])).toEqual([2, 5, 3.5, 3.5, 1]);
  expect(meanRanks([])).toEqual([]);
});

test('computed by hand', () => {
  // Without ties: 1 - 6 * sum of squared rank differences / (n * (n² - 1)); differences 0, 1, -1, 1, -1.
  expect(spearman([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])).toBeCloseTo(1 - (6 * 4) / (5 * 24), 12);
  // With ties: ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5. Sums of products: 3.75, of squares: 4.5 and 4.5.
  expect(spearman([1, 2, 2, 9], [0, 5, 7, 7])).toBeCloseTo(3.75 / 4.5, 12);
});

test('without two different values in each sample there is no correlation', () => {
  expect(spearman([1, 1, 1], [1, 2, 3])).toBeNull();
  expect(spearman([1], [1])).toBeNull();
  expect(spearman([], [])).toBeNull();
});

/** Small integers, so that equal values are frequent. */
const pairs = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
  minLength: 2,
  maxLength: 30,
});
const split = (of: readonly (readonly [number, number])[]) =>
  [of.map(([a]) => a), of.map(([, b]) => b)] as const;

/** The same as `actual`, up to rounding. */
function expectSame(actual: number | null, expected: number | null): void {
  if (expected === null) expect(actual).toBeNull();
  else expect(actual).toBeCloseTo(expected, 10);
}

test('it is from -1 to 1, symmetric, and 1 with itself', () => {
  fc.assert(
    fc.property(pairs, (of) => {
      const [a, b] = split(of);
      const value = spearman(a, b);
      if (value !== null) expect(Math.abs(value)).toBeLessThanOrEqual(1);
      expectSame(spearman(b, a), value);
      if (new Set(a).size > 1) expect(spearman(a, a)).toBeCloseTo(1, 12);
    }),
  );
});

test('growing transforms and another order leave it unchanged, a falling one turns its sign', () => {
  fc.assert(
    fc.property(pairs, (of) => {
      const [a, b] = split(of);
      const value = spearman(a, b);
      expectSame(
        spearman(
          a.map((each) => Math.exp(each / 3)),
          b.map((each) => each ** 3),
        ),
        value,
      );
      expectSame(spearman(a.toReversed(), b.toReversed()), value);
      expectSame(
        spearman(
          a.map((each) => -each),
          b,
        ),
        value === null ? null : -value,
      );
    }),
  );
});

test('counts stand for repeated pairs', () => {
  const counted = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 })),
    { minLength: 2, maxLength: 12 },
  );
  fc.assert(
    fc.property(counted, (of) => {
      const repeated = of.flatMap(([a, b, count]) => Array.from({ length: count }, () => [a, b] as const));
      const [a, b] = [of.map(([each]) => each), of.map(([, each]) => each)];
      expectSame(createSpearman(a, b)(of.map(([, , count]) => count)), spearman(...split(repeated)));
    }),
  );
});
