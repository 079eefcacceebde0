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
