import fc from 'fast-check';
import { type KeiLevel, type KeiReason, keiLevels, keiOf, keiOfScore } from './kei.ts';

const full = { results: 10, isNavigational: false, isSearched: true };

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
  expect(keiOf({ ...full, traffic, difficulty })).toEqual({ score, level, reason: null });
});

test.each<[number, KeiLevel, KeiLevel]>([
  [40, 'excellent', 'good'],
  [60, 'good', 'fair'],
  [80, 'fair', 'poor'],
])('a level starts exactly at its threshold: difficulty %i', (difficulty, at, below) => {
  expect(keiOf({ ...full, traffic: 100, difficulty }).level).toBe(at);
  expect(keiOf({ ...full, traffic: 98, difficulty }).level).toBe(below);
});

test.each<[string, Partial<typeof full>, number, KeiLevel, KeiReason | null]>([
  ['an empty page', { results: 0 }, 0, 'poor', 'no_results'],
  ['one result', { results: 1 }, 20, 'fair', 'few_results'],
  ['three results', { results: 3 }, 60, 'excellent', 'few_results'],
  ['five results', { results: 5 }, 100, 'excellent', null],
  ['a brand', { isNavigational: true }, 39.9, 'fair', 'brand'],
  ['an unsearched term', { isSearched: false }, 19.9, 'poor', 'unsearched'],
  ['an unsearched brand', { isSearched: false, isNavigational: true }, 19.9, 'poor', 'unsearched'],
  ['an unsearched term on an empty page', { isSearched: false, results: 0 }, 0, 'poor', 'no_results'],
  ['an unsearched term with two results', { isSearched: false, results: 2 }, 19.9, 'poor', 'unsearched'],
])('%s says what held it down', (_, changes, score, level, reason) => {
  expect(keiOf({ ...full, ...changes, traffic: 100, difficulty: 0 })).toEqual({ score, level, reason });
});

test('the KEI of a stored score needs traffic and difficulty', () => {
  const stored = { traffic: 100, difficulty: 0, brand: null, results: 5, search_status: 'searched' } as const;
  expect(keiOfScore(stored)).toEqual({ score: 100, level: 'excellent', reason: null });
  expect(keiOfScore({ ...stored, results: 2 })).toEqual({ score: 40, level: 'good', reason: 'few_results' });
  expect(keiOfScore({ ...stored, traffic: null })).toBeNull();
});

test('a term that is not known to be searched is capped like an unsearched one, which it may prove to be', () => {
  const stored = { traffic: 100, difficulty: 0, brand: null, results: 10 } as const;
  const keis = (['searched', 'ungraded', 'pending', 'unsearched'] as const).map((searchStatus) =>
    keiOfScore({ ...stored, search_status: searchStatus }),
  );
  const full = { score: 100, level: 'excellent', reason: null };
  const capped = { score: 19.9, level: 'poor', reason: 'unsearched' };
  expect(keis).toEqual([full, full, capped, capped]);
});

const score = fc.integer({ min: 0, max: 100 });
const inputs = fc.record({
  traffic: score,
  difficulty: score,
  results: fc.nat(12),
  isNavigational: fc.boolean(),
  isSearched: fc.boolean(),
});

test('order and level agree: a higher score never has a worse level, whatever held it down', () => {
  fc.assert(
    fc.property(inputs, inputs, (a, b) => {
      const [low, high] = [keiOf(a), keiOf(b)].sort((one, other) => one.score - other.score);
      expect(keiLevels.indexOf(high?.level ?? 'poor')).toBeLessThanOrEqual(
        keiLevels.indexOf(low?.level ?? 'excellent'),
      );
    }),
  );
});

test('a brand is at most fair, an unsearched term is poor, an empty page has 0, and the first of these is the reason', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const kei = keiOf(input);
      expect(kei.score).toBeLessThanOrEqual(keiOf({ ...input, ...full }).score);
      if (input.isNavigational) expect(kei.score).toBeLessThanOrEqual(39.9);
      if (!input.isSearched) expect(kei.level).toBe('poor');
      if (input.results === 0) expect(kei.score).toBe(0);
      const reasons: [KeiReason, boolean][] = [
        ['no_results', input.results === 0],
        ['unsearched', !input.isSearched],
        ['brand', input.isNavigational],
        ['few_results', input.results < 5],
      ];
      expect(kei.reason).toBe(reasons.find(([, applies]) => applies)?.[0] ?? null);
    }),
  );
});

test('more traffic and more results never lower it, more difficulty never raises it', () => {
  fc.assert(
    fc.property(inputs, score, (input, other) => {
      const kei = (changes: Partial<typeof input>) => keiOf({ ...input, ...changes }).score;
      expect(kei({ traffic: Math.max(input.traffic, other) })).toBeGreaterThanOrEqual(kei({}));
      expect(kei({ results: input.results + other })).toBeGreaterThanOrEqual(kei({}));
      expect(kei({ difficulty: Math.max(input.difficulty, other) })).toBeLessThanOrEqual(kei({}));
    }),
  );
});
