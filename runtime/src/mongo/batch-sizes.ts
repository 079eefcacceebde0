/**
 * The batch size with which a query of `rows` rows at most is answered in one round trip and its cursor closed with it:
 * the driver would ask for 101 rows first, and leave a cursor open on the server in between.
 */
export function singleBatchSize(rows: number): number {
  return rows + 1;
}

/** FerretDB on SQLite keeps something open for each update of one command, and stops for good at about a hundred. */
export const updatesPerCommand = 50;
