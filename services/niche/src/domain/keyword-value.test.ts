import fc from 'fast-check';
import { buildNicheTerm } from '../../test/build-niche-term.ts';
import { bestKeyword, keywordValue } from './keyword-value.ts';

const kei = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);

test('a searched keyword is worth its KEI; a brand and a term that people do not search for are worth 0', () => {
  fc.assert(
    fc.property(kei, fc.boolean(), fc.boolean(), (index, isSearched, isNavigational) => {
      const value = keywordValue({ kei: index, isSearched, isNavigational });
      expect(value).toBe(isSearched && !isNavigational ? index : 0);
    }),
    { numRuns: 10_000 },
  );
});

test('the best keyword is the one with the highest value, of equals the first', () => {
  const hard = buildNicheTerm('hard', { traffic: 60, difficulty: 80 });
  const easy = buildNicheTerm('easy', { traffic: 40, difficulty: 20 });
  const brand = buildNicheTerm('brand', { traffic: 90, difficulty: 0, isNavigational: true });
  expect(bestKeyword([brand, hard, easy, { ...easy }])).toBe(easy);
});

test('without a keyword that is worth anything there is no best one', () => {
  const brand = buildNicheTerm('brand', { isNavigational: true });
  const unsearched = buildNicheTerm('unsearched', { isSearched: false });
  expect(bestKeyword([brand, unsearched])).toBeNull();
  expect(bestKeyword([])).toBeNull();
});
