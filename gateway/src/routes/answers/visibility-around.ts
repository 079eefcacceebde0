import { daysBefore, daysOfWindow } from '@shelfwise/runtime/day';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Clients } from '../../clients.ts';
import { maxWindowDays } from '../route/history-window.ts';

/** Visibility by day (YYYY-MM-DD), with the version of its basket; a day without a score is left out. */
export type Visibility = ReadonlyMap<string, { score: number; basket: number | null }>;

/** The longest time before and after a change that is compared. */
const maxDays = 28;
/** The smallest known share of the days before, and of the days after. */
const leastKnown = 0.8;

/**
 * The visibility of an application around these days (YYYY-MM-DD), from `oldestDay` on. One call, or none without days. Tracking
 * has checked that the account tracks it.
 */
export async function readVisibility(
  deps: { scoring: Pick<Clients['scoring'], 'getScoreHistory'> },
  appId: number,
  { days, oldestDay, today }: { days: readonly string[]; oldestDay: string; today: string },
  call: CallOptions,
): Promise<Visibility> {
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const to = earlier(daysBefore(last, -maxDays), today);
  const from = later(later(daysBefore(first, maxDays), oldestDay), daysBefore(to, maxWindowDays - 1));
  // All of these days are before the history.
  if (from > to) return new Map();
  const { history } = await deps.scoring.getScoreHistory({ app_id: appId, from, to }, call);
  return new Map(
    history.flatMap(({ date, score, basket_version: basket = null }) =>
      score == null ? [] : [[date, { score, basket }] as const],
    ),
  );
}

/**
 * Medians of the days before and after a day, with one decimal; null when too few days are known. Only days with the basket of that
 * day are: another one, which a new month may bring, has other terms, and its score differs although no rank moved.
 */
export function visibilityAround(visibility: Visibility, day: string, days: number) {
  const last = daysOfWindow(daysBefore(day, days), day).findLast((one) => visibility.has(one));
  const basket = last === undefined ? null : visibility.get(last)?.basket;
  const medianOf = (from: string, to: string) => {
    const known = daysOfWindow(from, to).flatMap((one) => {
      const found = visibility.get(one);
      return found && found.basket === basket ? [found.score] : [];
    });
    return known.length >= leastKnown * days ? toMedian(known) : null;
  };
  return {
    visibility_before: medianOf(daysBefore(day, days), daysBefore(day, 1)),
    visibility_after: medianOf(daysBefore(day, -1), daysBefore(day, -days)),
  };
}

/** @param values one at least */
function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.round(((lower + upper) / 2) * 10) / 10;
}

const earlier = (one: string, other: string) => (one < other ? one : other);
const later = (one: string, other: string) => (one > other ? one : other);
