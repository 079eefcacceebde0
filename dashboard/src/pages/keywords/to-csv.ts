import { type Figure, numberOf } from '../../figure.ts';
import { describeFigure } from '../../parts/describe-figure.ts';
import type { KeywordRow } from './model.ts';

/** Texts that a spreadsheet would compute, and characters that hide others. */
const formula = /^[=+\-@]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is removed
const hidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const figures = ['rank', 'change', 'traffic', 'difficulty', 'kei'] as const satisfies (keyof KeywordRow)[];

/** Rows for a spreadsheet. What has no number is empty there, and `notes` says why. */
export function toCsv(rows: readonly KeywordRow[]): string {
  const head = ['keyword', 'favorite', ...figures, 'first_result', 'read_on', 'notes'];
  const lines = rows.map((row) => [
    text(row.keyword),
    String(row.isFavorite),
    ...figures.map((name) => String(numberOf(row[name]) ?? '')),
    text(row.first ?? ''),
    row.day,
    text(figures.flatMap((name) => note(name, row[name])).join('; ')),
  ]);
  return [head, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function note(name: string, figure: Figure): string[] {
  const { words } = describeFigure(figure);
  return words === null ? [] : [`${name}: ${words}`];
}

function text(content: string): string {
  const plain = content.replace(hidden, '');
  const safe = formula.test(plain) ? `'${plain}` : plain;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
