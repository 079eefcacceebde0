import fc from 'fast-check';
import { globalOf } from './axis-scores.ts';

const axis = fc.nat(100);

test('the overall score is the geometric mean of the axes', () => {
  expect(globalOf({ coverage: 50, targeting: 50, appeal: 50 })).toBe(50);
  expect(globalOf({ coverage: 100, targeting: 100, appeal: 100 })).toBe(100);
  // (90 * 40 * 70)^(1/3) = 63.16
  expect(globalOf({ coverage: 90, targeting: 40, appeal: 70 })).toBe(63);
});

test('an axis at 0 makes the overall score 0, whatever the others are', () => {
  fc.assert(
    fc.property(axis, axis, (one, other) => {
      expect(globalOf({ coverage: 0, targeting: one, appeal: other })).toBe(0);
      expect(globalOf({ coverage: one, targeting: 0, appeal: other })).toBe(0);
      expect(globalOf({ coverage: one, targeting: other, appeal: 0 })).toBe(0);
    }),
  );
});

test('the overall score lies between the lowest and the highest axis, and a rising axis never lowers it', () => {
  fc.assert(
    fc.property(axis, axis, axis, (coverage, targeting, appeal) => {
      const value = globalOf({ coverage, targeting, appeal });
      expect(value).toBeGreaterThanOrEqual(Math.min(coverage, targeting, appeal));
      expect(value).toBeLessThanOrEqual(Math.max(coverage, targeting, appeal));
      expect(globalOf({ coverage: Math.min(100, coverage + 1), targeting, appeal })).toBeGreaterThanOrEqual(
        value,
      );
    }),
  );
});
