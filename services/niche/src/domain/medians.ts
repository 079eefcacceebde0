/** With fewer values nothing is said about all of them. */
const minValues = 5;

/** The known values of `of` things. */
export type KnownValues = { values: readonly number[]; of: number };

/** What is known among `values`; null: not known. */
export function knownValues(values: readonly (number | null)[]): KnownValues {
  return { values: values.filter((value) => value !== null), of: values.length };
}

/** The value that at least half of those known do not exceed; null when fewer than five are known. */
export function lowerMedian({ values }: KnownValues): number | null {
  return at(values, Math.ceil(values.length / 2) - 1);
}

/** The value that at least half of those known reach; null when fewer than five are known. */
export function upperMedian({ values }: KnownValues): number | null {
  return at(values, Math.floor(values.length / 2));
}

function at(values: readonly number[], place: number): number | null {
  return values.length < minValues ? null : ([...values].sort((a, b) => a - b)[place] ?? null);
}
