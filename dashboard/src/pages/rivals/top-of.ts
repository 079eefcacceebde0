/** The end of a scale in percent that holds all values: a round number, at least 1. */
export function topOf(values: readonly (number | null)[]): number {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  return [1, 2, 4, 10, 20, 40, 60].find((top) => top >= most) ?? 100;
}
