/**
 * Removes repeated rows; each app stays at its first position. A rank counts the apps above, so a duplicate would
 * lower the rank of every app below it.
 */
export function dropRepeated<Row>(rows: readonly Row[], idOf: (row: Row) => string | number): Row[] {
  const seen = new Set<string | number>();
  return rows.filter((row) => !seen.has(idOf(row)) && seen.add(idOf(row)));
}
