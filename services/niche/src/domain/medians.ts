/** Fewer values say nothing about the whole. */
const minValues = 5;

/** The known values among `of` items. */
export type KnownValues = { values: readonly number[]; of: number };

/** Drops unknown values (null). */
export function knownValues(values: readonly (number | null)[]): KnownValues {
  return { values: values.filter((value) => value !== null), of: values.length };
}

/** The lowest value that at least half of the known values do not exceed; null when fewer than five are known. */
export function lowerMedian({ values }: KnownValues): number | null {
  return at(values, Math.ceil(values.length / 2) - 1);
}

/** The highest value that at least half of the known values reach; null when fewer than five are known. */
export function upperMedian({ values }: KnownValues): number | null {
  return at(values, Math.floor(values.length / 2));
}

function at(values: readonly number[], index: number): number | null {
  return values.length < minValues ? null : ([...values].sort((a, b) => a - b)[index] ?? null);
}
