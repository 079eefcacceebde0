import { type CsvValue, toCsvCell } from '@shelfwise/facts/text/csv-cell';

export type { CsvValue };

/** A chunk is sent once it has this many UTF-16 units: few writes, and little memory for a client that reads slowly. */
const chunkLength = 32 * 1024;

/**
 * RFC 4180 in pieces: a header row, then the rows, each ended by CRLF. A piece is made only when it is taken.
 */
export function* toCsvChunks(
  columns: readonly string[],
  rows: Iterable<readonly CsvValue[]>,
): Generator<string> {
  let chunk = toLine(columns);
  for (const row of rows) {
    chunk += toLine(row);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function toLine(values: readonly CsvValue[]): string {
  return `${values.map(toCsvCell).join(',')}\r\n`;
}
