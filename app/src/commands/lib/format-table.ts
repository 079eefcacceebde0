import { toPrintableLine } from '@shelfwise/runtime/log/printable';

/** Formats rows under a header. Each column is as wide as its widest cell; numbers are right-aligned.
 * Control characters of the cells become spaces. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...rows].map((row) => formatRow(row, widths)).join('\n');
}

export function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return /^[\d.,]+\D{0,4}$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
  });
  return toPrintableLine(`  ${cells.join('  ')}`).trimEnd();
}
