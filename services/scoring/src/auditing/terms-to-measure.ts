import { type Importance, importances } from '../domain/term-schedule.ts';
import type { MeasuringRequest } from '../stores/term.ts';

/**
 * What is to be measured for a listing: its own terms, and those of its basket. A basket's term is read every day; when
 * an account tracks it, its daily snapshots do that.
 */
export function termsToMeasure(
  own: readonly { keyword: string; importance: Importance }[],
  basket: readonly string[],
  tracked: ReadonlySet<string>,
): MeasuringRequest[] {
  const daily = new Set(basket.filter((keyword) => !tracked.has(keyword)));
  const importanceOf = new Map(own.map(({ keyword, importance }) => [keyword, importance]));
  for (const keyword of daily) importanceOf.set(keyword, importances.indexed);
  return [...importanceOf].map(([keyword, importance]) => ({
    keyword,
    importance,
    isDaily: daily.has(keyword),
  }));
}
