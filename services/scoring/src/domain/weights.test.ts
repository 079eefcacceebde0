import fc from 'fast-check';
import { evenlyBetween } from '../../../../testing/evenly-between.ts';
import { meanOf, usedWeights, weightedMean } from './weights.ts';

const weights = { A: 0.5, B: 0.3, C: 0.2 };

test('a mean over all values uses the weights unchanged', () => {
  // .5 * 1 + .3 * .5 + .2 * 0
  expect(meanOf(weights, { A: 1, B: 0.5, C: 0 })).toBeCloseTo(0.65, 12);
  expect(usedWeights(weights, { A: 1, B: 0.5, C: 0 })).toEqual(weights);
});

test('a missing value is dropped, never 0, and the other weights share its weight', () => {
  // (.3 * .5 + .2 * 1) / .5
  expect(meanOf(weights, { A: null, B: 0.5, C: 1 })).toBeCloseTo(0.7, 12);
  expect(usedWeights(weights, { A: null, B: 0.5, C: 1 })).toEqual({ A: 0, B: 0.6, C: 0.4 });
});

test('without any value there is no mean', () => {
  expect(weightedMean([{ weight: 1, value: null }])).toBeNull();
  expect(weightedMean([])).toBeNull();
  expect(usedWeights(weights, { A: null, B: null, C: null })).toEqual({ A: 0, B: 0, C: 0 });
});

test('missing values change nothing: the mean is that of the known ones alone, with weights that sum up to 1', () => {
  const value = fc.option(evenlyBetween(0, 1), { freq: 2 });
  fc.assert(
    fc.property(fc.record({ A: value, B: value, C: value }), (values) => {
      const known = Object.values(values).filter((one) => one !== null);
      const [mean, used] = [meanOf(weights, values), usedWeights(weights, values)];
      fc.pre(mean !== null);
      expect(mean).toBeGreaterThanOrEqual(Math.min(...known) - 1e-12);
      expect(mean).toBeLessThanOrEqual(Math.max(...known) + 1e-12);
      expect(used.A + used.B + used.C).toBeCloseTo(1, 12);
      const { A, B, C } = values;
      expect(used.A * (A ?? 0) + used.B * (B ?? 0) + used.C * (C ?? 0)).toBeCloseTo(mean, 12);
    }),
  );
});
