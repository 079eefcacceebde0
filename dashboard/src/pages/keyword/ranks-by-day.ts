import { type Figure, unknown } from '../../figure.ts';
import type { KeywordModel } from './model.ts';

/** The days that were read for any of the apps, the latest first, with the rank of each app in their order. */
export function ranksByDay(
  series: readonly Pick<KeywordModel['series'][number], 'read'>[],
): { day: string; ranks: Figure[] }[] {
  const byApp = series.map(({ read }) => new Map(read.map(({ date, rank }) => [date, rank])));
  const days = new Set(byApp.flatMap((ranks) => [...ranks.keys()]));
  return [...days]
    .toSorted()
    .reverse()
    .map((day) => ({ day, ranks: byApp.map((ranks) => ranks.get(day) ?? unknown('not_read')) }));
}
