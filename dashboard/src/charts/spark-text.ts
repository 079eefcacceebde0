import { daysOfWindow } from '@shelfwise/runtime/day';
import type { RankDay } from './rank-scale.ts';

/**
 * Ranks by day as a short text, for hundreds of small pictures in a page: one entry a day from `from` to `to`, separated by commas.
 * A rank; `-`: not ranked; empty: not read.
 */
export function toSparkText(from: string, to: string, read: readonly RankDay[]): string {
  const byDay = new Map(read.map(({ date, rank }) => [date, rank]));
  return daysOfWindow(from, to)
    .map((day) => {
      const rank = byDay.get(day);
      return rank === undefined ? '' : (rank ?? '-');
    })
    .join(',');
}

export function readSparkText(from: string, to: string, text: string): RankDay[] {
  const entries = text.split(',');
  return daysOfWindow(from, to).flatMap((date, at) => {
    const entry = entries[at] ?? '';
    return entry === '' ? [] : [{ date, rank: entry === '-' ? null : Number(entry) }];
  });
}
