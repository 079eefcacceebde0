/**
 * The batch size for a query of at most `rows` rows in one round trip, which also closes the cursor. With the
 * driver's default of 101 rows, a cursor may stay open on the server.
 */
export function singleBatchSize(rows: number): number {
  return rows + 1;
}

/** FerretDB on SQLite keeps resources open for each update of a command and stops for good at about a hundred. */
export const updatesPerCommand = 50;
