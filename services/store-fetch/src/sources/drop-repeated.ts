/**
 * Each row once, where it stands first. A rank counts the apps that stand ahead: one that is shown twice has its upper
 * rank and is one app; counted twice, it would push those below a place too far down.
 */
export function dropRepeated<Row>(rows: readonly Row[], idOf: (row: Row) => string | number): Row[] {
  const seen = new Set<string | number>();
  return rows.filter((row) => !seen.has(idOf(row)) && seen.add(idOf(row)));
}
