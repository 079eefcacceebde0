/** @returns `x`, brought into 0 to 1 */
export function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}

/**
 * Where a count stands between two powers of ten, 0 to 1: `logc(R, 1, 6)` is 0 up to 9 and 1 from 999,999.
 * @param x a count, 0 or more
 * @param lo the power of ten that counts nothing
 * @param hi the power of ten that counts fully
 */
export function logc(x: number, lo: number, hi: number): number {
  return clamp((Math.log10(1 + x) - lo) / (hi - lo));
}

/**
 * The whole number nearest to `x`, halves upwards. Scores are rounded half up once, at the end; the tiny addition takes
 * back what the sums before it lost, so that an exact half never depends on the order in which they were added.
 */
export function roundHalfUp(x: number): number {
  return Math.floor(x + 0.5 + 1e-9);
}

/** One decimal place, halves upwards. */
export function round1(x: number): number {
  return roundHalfUp(10 * x) / 10;
}

/**
 * The line through points, straight between two of them and level beyond the first and the last.
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
