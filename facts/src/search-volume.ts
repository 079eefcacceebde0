/**
 * The approximate number of searches for a term, relative to other terms: `vol = exp(.0615 * traffic)`.
 * (docs/scores.md, visibility)
 * @param traffic 0 to 100
 */
export function searchVolume(traffic: number): number {
  return Math.exp(0.0615 * traffic);
}
