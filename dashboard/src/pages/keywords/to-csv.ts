import { toCsvCell } from '@shelfwise/facts/text/csv-cell';
import * as texts from '#texts';
import { type Figure, numberOf } from '../../figure.ts';
import { describeFigure } from '../../parts/describe-figure.ts';
import type { KeywordRow } from './model.ts';

const figures = ['rank', 'change', 'traffic', 'difficulty', 'kei'] as const satisfies (keyof KeywordRow)[];

/** Rows for a spreadsheet. What has no number is empty there, and `notes` says why. */
export function toCsv(rows: readonly KeywordRow[]): string {
  const head = ['keyword', 'favorite', ...figures, 'status', 'first_result', 'read_on', 'notes'];
  const lines = rows.map((row) => [
    row.keyword,
    row.isFavorite,
    ...figures.map((name) => numberOf(row[name])),
    row.status,
    row.first?.title,
    row.day,
    [...figures.flatMap((name) => note(name, row[name])), ...noteOfKei(row)],
  ]);
  return [head, ...lines].map((cells) => `${cells.map(toCsvCell).join(',')}\r\n`).join('');
}

function noteOfKei({ keiReason }: KeywordRow): string[] {
  return keiReason === null ? [] : [`kei: ${texts.keywords.keiHeld[keiReason][0]}`];
}

function note(name: string, figure: Figure): string[] {
  const { words } = describeFigure(figure);
  return words === null ? [] : [`${name}: ${words}`];
}
