import { roundHalfUp } from '../curve.ts';

/** The three axes as published: integers, 0 to 100. */
export type Axes = { coverage: number; targeting: number; appeal: number };

/** The overall score, 0 to 100: the geometric mean of the three axes, so that an axis at 0 makes it 0. (spec: scoring) */
export function globalOf({ coverage, targeting, appeal }: Axes): number {
  return roundHalfUp(Math.cbrt(coverage * targeting * appeal));
}
