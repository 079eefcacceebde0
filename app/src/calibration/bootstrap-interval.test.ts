import fc from 'fast-check';
import { bootstrapInterval } from './bootstrap-interval.ts';
import { createSpearman, spearman } from './spearman.ts';

const few = { confidence: 0.95, resamples: 200, seed: 7 };

/** Pairs of values with noise between -1 and 1, reproducible: two sine waves of unrelated lengths. */
function noisyPairs(size: number, noise: number, shift = 0) {
  const a = Array.from({ length: size }, (_value, i) => i / size);
  const b = a.map(
    (value, i) => value + noise * Math.sin((i + shift) * 12.9898) * Math.sin((i + shift) * 78.233),
  );
  return { a, b };
}

const intervalOf = ({ a, b }: { a: number[]; b: number[] }, settings = few) =>
  bootstrapInterval(a.length, createSpearman(a, b), settings);

test('a seed decides the interval', () => {
  const data = noisyPairs(30, 1);
  expect(intervalOf(data)).toEqual(intervalOf(data));
  expect(intervalOf(data, { ...few, seed: 8 })).not.toEqual(intervalOf(data));
});

test('each draw has as many items as the sample', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (size) => {
      const sum = (counts: ArrayLike<number>) =>
        Array.from(counts).reduce((total, count) => total + count, 0);
      expect(bootstrapInterval(size, sum, { ...few, resamples: 10 })).toEqual({ low: size, high: size });
    }),
  );
});

test('it lies within the range of the statistic, is wider with more confidence, and exact for a perfect order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 40 }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      (size, noise) => {
        const data = noisyPairs(size, noise);
        const narrow = intervalOf(data, { ...few, confidence: 0.5 });
        const wide = intervalOf(data);
        if (!narrow || !wide) throw new Error('no interval');
        expect([-1, wide.low, narrow.low, narrow.high, wide.high, 1]).toEqual(
          [-1, wide.low, narrow.low, narrow.high, wide.high, 1].toSorted((a, b) => a - b),
        );
      },
    ),
    { numRuns: 30 },
  );
  expect(intervalOf(noisyPairs(20, 0))).toEqual({ low: 1, high: 1 });
});

test('it is narrower with more terms', () => {
  const width = (size: number) => {
    const interval = intervalOf(noisyPairs(size, 1));
    return interval ? interval.high - interval.low : Number.NaN;
  };
  expect(width(400)).toBeLessThan(width(25) / 2);
});

test('most intervals of small samples contain the correlation of the whole', () => {
  const whole = noisyPairs(4000, 1);
  const truth = spearman(whole.a, whole.b) ?? Number.NaN;
  // Every hundredth pair, from each start: 100 samples of 40 pairs that are spread over the whole.
  const starts = Array.from({ length: 100 }, (_value, start) => start);
  const covered = starts.filter((start) => {
    const members = starts.slice(0, 40).map((i) => start + 100 * i);
    const interval = intervalOf({
      a: members.map((i) => whole.a[i] ?? 0),
      b: members.map((i) => whole.b[i] ?? 0),
    });
    return interval !== null && interval.low <= truth && truth <= interval.high;
  });
  expect(covered.length).toBeGreaterThanOrEqual(85);
});

test('without a value in most draws there is no interval', () => {
  expect(bootstrapInterval(20, () => null, few)).toBeNull();
  expect(intervalOf({ a: [1, 1, 1, 1], b: [1, 2, 3, 4] })).toBeNull();
});
