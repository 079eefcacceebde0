import fc from 'fast-check';
import { type KeiLevel, keiLevels, keiOf } from './kei.ts';

test.each<[number, number, number, KeiLevel]>([
  // 100 * log10(1 + 95) / log10(96) * 1
  [100, 0, 100, 'excellent'],
  // 100 * log10(46) / log10(96) * .7 = 83.8825 * .7
  [50, 30, 58.7, 'good'],
  // 100 * log10(26) / log10(96) * .5 = 71.3825 * .5
  [30, 50, 35.7, 'fair'],
  [60, 90, 8.8, 'poor'],
  [5, 0, 0, 'poor'],
  [0, 0, 0, 'poor'],
  [100, 100, 0, 'poor'],
])('traffic %i and difficulty %i give %d, %s', (traffic, difficulty, score, level) => {
  expect(keiOf({ traffic, difficulty, isNavigational: false, isSearched: true })).toEqual({ score, level });
});

test.each<[number, KeiLevel, KeiLevel]>([
  [40, 'excellent', 'good'],
  [60, 'good', 'fair'],
  [80, 'fair', 'poor'],
])('a level starts exactly at its threshold: difficulty %i', (difficulty, at, below) => {
  expect(keiOf({ traffic: 100, difficulty, isNavigational: false, isSearched: true }).level).toBe(at);
  expect(keiOf({ traffic: 98, difficulty, isNavigational: false, isSearched: true }).level).toBe(below);
});

test('an unsearched term is poor, with the same score', () => {
  const score = { traffic: 100, difficulty: 0, isNavigational: false };
  expect(keiOf({ ...score, isSearched: false })).toEqual({ score: 100, level: 'poor' });
});

const score = fc.integer({ min: 0, max: 100 });

test('a term that names a brand has the same score and at most the level fair', () => {
  fc.assert(
    fc.property(score, score, (traffic, difficulty) => {
      const plain = keiOf({ traffic, difficulty, isNavigational: false, isSearched: true });
      const brand = keiOf({ traffic, difficulty, isNavigational: true, isSearched: true });
      expect(brand.score).toBe(plain.score);
      const levels: readonly KeiLevel[] = keiLevels;
      expect(levels.indexOf(brand.level)).toBe(Math.max(levels.indexOf('fair'), levels.indexOf(plain.level)));
    }),
  );
});

test('more traffic never lowers it, more difficulty never raises it', () => {
  fc.assert(
    fc.property(score, score, score, (traffic, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const kei = (of: { traffic: number; difficulty: number }) =>
        keiOf({ ...of, isNavigational: false, isSearched: true }).score;
      expect(kei({ traffic: high, difficulty: traffic })).toBeGreaterThanOrEqual(
        kei({ traffic: low, difficulty: traffic }),
      );
      expect(kei({ traffic, difficulty: high })).toBeLessThanOrEqual(kei({ traffic, difficulty: low }));
    }),
  );
});
