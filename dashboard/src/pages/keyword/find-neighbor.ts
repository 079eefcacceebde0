/**
 * The id of the row that is `steps` after the one with this id, or before it when they are negative. Past an end it is the last one
 * there. Null: no row has the id.
 */
export function findNeighbor(rows: readonly { id: string }[], id: string, steps: number): string | null {
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1) return null;
  return rows[Math.min(Math.max(at + steps, 0), rows.length - 1)]?.id ?? null;
}
