import { daysBefore, daysOfWindow } from '@shelfwise/runtime/day';
import { scoringVersion } from '../scoring-version.ts';
import { type Basket, basketOn, replacedOn } from './basket.ts';
import { minBasketTerms, type RankedTerm, visibility } from './visibility.ts';

/** What was read of a listing on one UTC day. */
export type DayReading = {
  day: string;
  /** From 1; null: not ranked; undefined: no result page of the keyword was read that day. */
  rankOf(keyword: string): number | null | undefined;
  /** Rating count; null: not read, or the store does not say. */
  ratings: number | null;
};

/** A UTC day of a listing's history, with what its score was computed from. */
export type DayScore = {
  date: string;
  /** Visibility, 0 to 100, one decimal; null: `reason` says why. */
  score: number | null;
  /**
   * `basket_too_small`: there are fewer than five terms. `too_little_read`: pages of too few of them were read that day and the
   * two days before. Null: there is a score.
   */
  reason: 'basket_too_small' | 'too_little_read' | null;
  /** On the first day of a new basket: the score over the one before, which tells a step from a change of rank. */
  previous_basket_score: number | null;
  /** Rating count; null: not read, or the store does not say. */
  ratings: number | null;
  /** The basket in force on that day; null: none drawn yet. */
  basket_version: number | null;
  /** Always the current one: scores are computed from the stored ranks when the history is read. */
  scoring_version: number;
  /** How many terms of the basket have a result page of that day. */
  terms: number;
  /** How many of these terms the listing ranks for. */
  ranked: number;
  /** How many further terms keep the rank that was read on one of the two days before. */
  carried_terms: number;
};

/** How many days a term that was not read keeps its last rank. */
export const carriedDays = 2;

/**
 * The visibility of a listing on every UTC day of a window (both ends included), oldest first. Each day is scored over
 * the basket in force on it.
 * @param history `firstDay`: the first day of the listing's history, earlier days are left out (null: it has none);
 *   `baskets`: all versions, oldest first; `readings`: also those of the two days before the window, whose ranks are carried
 */
export function scoreDays(
  window: { from: string; to: string },
  {
    firstDay,
    readings,
    baskets,
  }: {
    firstDay: string | null;
    readings: readonly DayReading[];
    baskets: readonly Basket[];
  },
): DayScore[] {
  if (firstDay === null) return [];
  const byDay = new Map(readings.map((reading) => [reading.day, reading]));
  return daysOfWindow(window.from > firstDay ? window.from : firstDay, window.to).map((date) => {
    const earlier = Array.from({ length: carriedDays }, (_, at) => byDay.get(daysBefore(date, at + 1)));
    return scoreDay(date, { reading: byDay.get(date), earlier }, baskets);
  });
}

/** The readings of a day, and of the two days before, the later one first. */
type Readings = { reading: DayReading | undefined; earlier: readonly (DayReading | undefined)[] };

function scoreDay(date: string, readings: Readings, baskets: readonly Basket[]): DayScore {
  const basket = basketOn(date, baskets);
  const replaced = replacedOn(date, baskets);
  const terms = readTerms(basket, readings);
  const score = visibility(terms);
  const read = terms.filter(({ isRead }) => isRead);
  return {
    date,
    score,
    reason: score === null ? reasonOf(terms) : null,
    previous_basket_score: replaced && visibility(readTerms(replaced, readings)),
    ratings: readings.reading?.ratings ?? null,
    basket_version: basket?.version ?? null,
    scoring_version: scoringVersion,
    terms: read.length,
    ranked: read.filter(({ rank }) => rank !== null).length,
    carried_terms: terms.filter(({ isRead, rank }) => !isRead && rank !== undefined).length,
  };
}

function reasonOf(terms: readonly unknown[]): DayScore['reason'] {
  return terms.length < minBasketTerms ? 'basket_too_small' : 'too_little_read';
}

type ReadTerm = RankedTerm & { /** on the day itself */ isRead: boolean };

function readTerms(basket: Basket | null, { reading, earlier }: Readings): ReadTerm[] {
  return (basket?.terms ?? []).map(({ keyword, traffic }) => {
    const read = reading?.rankOf(keyword);
    const isRead = read !== undefined;
    return { traffic, rank: isRead ? read : earlierRank(earlier, keyword), isRead };
  });
}

/** The last rank that was read on one of the days; null: not ranked then; undefined: not read. */
function earlierRank(
  earlier: readonly (DayReading | undefined)[],
  keyword: string,
): number | null | undefined {
  return earlier.map((day) => day?.rankOf(keyword)).find((rank) => rank !== undefined);
}
