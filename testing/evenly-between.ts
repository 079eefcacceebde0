import fc from 'fast-check';

/** Numbers spread evenly over a range. Of `fc.double` from 0 to 1, nine in ten are below 1e-10. */
export function evenlyBetween(min: number, max: number): fc.Arbitrary<number> {
  const steps = 10_000;
  return fc.integer({ min: 0, max: steps }).map((step) => min + ((max - min) * step) / steps);
}
