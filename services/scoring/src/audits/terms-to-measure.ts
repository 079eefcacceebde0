import { type Importance, importances } from '../domain/term-schedule.ts';
import type { MeasuringRequest } from '../stores/term.ts';

/**
 * The terms to measure for a listing: its own, which its texts show, and those of its basket. Basket terms are read every day,
 * except those that an account tracks: their daily snapshots do that.
 * @param awaited the words for which the first audit waits
 */
export function termsToMeasure(
  own: readonly { keyword: string; importance: Importance }[],
  basket: readonly string[],
  tracked: ReadonlySet<string>,
  awaited: ReadonlySet<string>,
): MeasuringRequest[] {
  const daily = new Set(basket.filter((keyword) => !tracked.has(keyword)));
  const isOwn = new Set(own.map(({ keyword }) => keyword));
  const importanceOf = new Map(own.map(({ keyword, importance }) => [keyword, importance]));
  for (const keyword of daily) importanceOf.set(keyword, importances.indexed);
  return [...importanceOf].map(([keyword, importance]) => ({
    keyword,
    importance,
    isDaily: daily.has(keyword),
    isAwaited: awaited.has(keyword),
    isPublic: isOwn.has(keyword),
  }));
}
