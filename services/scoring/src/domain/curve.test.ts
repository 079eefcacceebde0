import fc from 'fast-check';
import { evenlyBetween } from '../../../../testing/evenly-between.ts';
import { alongPoints, clamp, logc, round1, roundHalfUp } from './curve.ts';

test('clamp limits a value to 0..1', () => {
  expect([-2, 0, 0.3, 1, 9].map(clamp)).toEqual([0, 0, 0.3, 1, 1]);
});

test('logc is 0 up to the lower power of ten, 1 from the higher one, and logarithmic between', () => {
  expect([0, 9, 99, 999_999, 1e9].map((count) => logc(count, 1, 6))).toEqual([0, 0, 0.2, 1, 1]);
});

test('halves are rounded up, even if the sum before lost a little precision', () => {
  expect([0, 0.5, 1.49, 2.5, 34.5].map(roundHalfUp)).toEqual([0, 1, 1, 3, 35]);
  expect(roundHalfUp(0.15 + 0.15 + 0.2 - 1e-12)).toBe(1);
  expect(1.005 * 100).toBeLessThan(100.5);
  expect(roundHalfUp(1.005 * 100)).toBe(101);
  expect([0.04, 0.05, 12.25, 12.34].map(round1)).toEqual([0, 0.1, 12.3, 12.3]);
});

test('a line goes through its points, straight between them and level beyond', () => {
  const points = [
    [30, 100],
    [90, 80],
    [180, 50],
  ] as const;
  expect([0, 30, 60, 90, 135, 180, 999].map((x) => alongPoints(points, x))).toEqual([
    100, 100, 90, 80, 65, 50, 50,
  ]);
});

test('a line through rising points never falls', () => {
  const points = fc
    .tuple(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 }), fc.nat(9))
    .map(([steps, rise]) => steps.map((_, at) => [sum(steps.slice(0, at + 1)), at * rise] as const));
  const x = evenlyBetween(-10, 400);
  fc.assert(
    fc.property(points, x, x, (line, a, b) => {
      expect(alongPoints(line, Math.min(a, b))).toBeLessThanOrEqual(alongPoints(line, Math.max(a, b)) + 1e-9);
    }),
  );
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
