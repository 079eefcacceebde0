import fc from 'fast-check';

/** For a property that needs more random cases than usual; PROPERTY_RUNS may ask for even more (`jest/properties.ts`). */
export function atLeastRuns(count: number): { numRuns: number } {
  return { numRuns: Math.max(count, fc.readConfigureGlobal().numRuns ?? 0) };
}
