import { type Figure, known, type Unknown, unknown } from '@shelfwise/dashboard/figure';
import type { KeywordModel } from '@shelfwise/dashboard/pages/keyword/model';
import { daysBefore } from '@shelfwise/runtime/day';

type RankChange = KeywordModel['change'];

const comparedDays = 7;

/**
 * How a rank changed in seven days. If the day seven days before was not read, the change is unknown: a neighboring day would make
 * it a change of another period.
 * @param now the latest rank and its UTC day; null: not ranked
 * @param read the ranks of the app by UTC day (YYYY-MM-DD), only of days that were read
 */
export function toRankChange(
  now: { rank: number | null; day: string },
  read: readonly { date: string; rank: number | null }[],
): RankChange {
  const since = daysBefore(now.day, comparedDays);
  const before = read.find(({ date }) => date === since);
  if (before === undefined) {
    const reason: Unknown = read.some(({ date }) => date < since) ? 'day_not_read' : 'no_earlier_day';
    return { places: unknown(reason), status: null, since };
  }
  return { places: toPlaces(before.rank, now.rank), status: toStatus(before.rank, now.rank), since };
}

/** Places gained; not a number without a rank on both days. */
export function toPlaces(before: number | null, now: number | null): Figure {
  return before === null || now === null ? { state: 'not_applicable' } : known(before - now);
}

/** As the API names movements. Without a rank on both days, nothing moved. */
export function toStatus(before: number | null, now: number | null): RankChange['status'] {
  if (before === now) return 'same';
  if (before === null) return 'entered';
  if (now === null) return 'left';
  return before > now ? 'up' : 'down';
}
