/**
 * The batch size with which a query of `rows` rows at most is answered in one round trip and its cursor closed with it:
 * the driver would ask for 101 rows first, and leave a cursor open on the server in between.
 */
export function oneBatch(rows: number): number {
  return rows + 1;
}
