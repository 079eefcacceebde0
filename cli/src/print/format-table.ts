import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { cutToWidth, displayWidth } from './display-width.ts';

/** What a table shows where the API has null. */
const noValue = '–';

export type Column<Row> = {
  title: string;
  /** Null is shown as a dash, never as 0. */
  value(row: Row): string | number | boolean | null;
  /** What to say about the value, such as why it is missing. Null: nothing. */
  note?(row: Row): string | null;
  /** Cut first where a terminal is too narrow. */
  isLong?: true;
};

const gap = '  ';
/** A long column keeps this many columns of the terminal. */
const leastLong = 12;

/**
 * Rows under a header. Numbers are right-aligned. Notes on the values of a row are its last cell. Control characters become
 * spaces.
 * @param width the columns of the terminal; null: as wide as needed
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
): string {
  const cells = rows.map((row) => columns.map((column) => toCell(column.value(row))));
  const isNumber = columns.map((column) => {
    const values = rows.map((row) => column.value(row)).filter((value) => value !== null);
    return values.every((value) => typeof value === 'number');
  });
  const wanted = columns.map(({ title }, index) =>
    cells.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), displayWidth(title)),
  );
  const widths = fit(columns, wanted, width);
  const notes = rows.map((row) => toNotes(columns, row));
  const hasNotes = notes.some((note) => note !== '');
  const toLine = (texts: readonly string[], note: string) =>
    [
      ...texts.map((text, index) => align(text, widths[index] ?? 0, isNumber[index] ?? false)),
      ...(hasNotes ? [note] : []),
    ]
      .join(gap)
      .trimEnd();
  const head = toLine(
    columns.map(({ title }) => title),
    'note',
  );
  return [head, ...cells.map((row, index) => toLine(row, notes[index] ?? ''))].join('\n');
}

function toCell(value: string | number | boolean | null): string {
  if (value === null) return noValue;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return toPrintableLine(String(value));
}

/** `traffic, KEI: not measured yet; rank: …` */
function toNotes<Row>(columns: readonly Column<Row>[], row: Row): string {
  const titles = new Map<string, string[]>();
  for (const { title, note } of columns) {
    const text = note?.(row) ?? null;
    if (text !== null) titles.set(text, [...(titles.get(text) ?? []), title]);
  }
  return toPrintableLine([...titles].map(([text, names]) => `${names.join(', ')}: ${text}`).join('; '));
}

/** Cuts long columns, the last one first, until the table fits. Notes may go on in the next line of the terminal. */
function fit<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly number[],
  width: number | null,
): number[] {
  const widths = [...wanted];
  if (width === null) return widths;
  const total = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  let excess = total - width;
  for (let index = columns.length - 1; index >= 0 && excess > 0; index--) {
    const current = widths[index] ?? 0;
    if (!columns[index]?.isLong || current <= leastLong) continue;
    const cut = Math.min(excess, current - leastLong);
    widths[index] = current - cut;
    excess -= cut;
  }
  return widths;
}

function align(text: string, width: number, isRight: boolean): string {
  const cut = cutToWidth(text, width);
  const padding = ' '.repeat(Math.max(0, width - displayWidth(cut)));
  return isRight ? padding + cut : cut + padding;
}
