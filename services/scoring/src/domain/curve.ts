/** @returns `x`, limited to 0..1 */
export function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}

/**
 * The position of a count between two powers of ten, 0 to 1: `logc(R, 1, 6)` is 0 up to 9 and 1 from 999,999.
 * @param x a count, 0 or more
 * @param lo the power of ten at which the result is 0
 * @param hi the power of ten at which the result is 1
 */
export function logc(x: number, lo: number, hi: number): number {
  return clamp((Math.log10(1 + x) - lo) / (hi - lo));
}

/**
 * The nearest integer to `x`, halves upwards. Scores are rounded once, at the end. The tiny addition compensates for
 * floating-point loss, so that an exact half does not depend on the order of the sums before.
 */
export function roundHalfUp(x: number): number {
  return Math.floor(x + 0.5 + 1e-9);
}

/** One decimal place, halves upwards. */
export function round1(x: number): number {
  return roundHalfUp(10 * x) / 10;
}

/** Two decimal places, halves upwards. */
export function round2(x: number): number {
  return roundHalfUp(100 * x) / 100;
}

/** Four decimal places, halves upwards. */
export function round4(x: number): number {
  return roundHalfUp(10_000 * x) / 10_000;
}

/**
 * The line through the points, straight between two of them and level before the first and after the last.
 * @param points by rising x, at least one
 */
export function alongPoints(points: readonly (readonly [x: number, y: number])[], x: number): number {
  let [lowX, lowY] = points[0] ?? [0, 0];
  if (x <= lowX) return lowY;
  for (const [highX, highY] of points) {
    if (x <= highX) return lowY + ((highY - lowY) * (x - lowX)) / (highX - lowX);
    [lowX, lowY] = [highX, highY];
  }
  return lowY;
}
