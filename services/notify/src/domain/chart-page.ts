import { daysBefore } from '@shelfwise/runtime/day';

/** A top chart on one UTC day, as it was read. */
export type ChartPage = {
  chart_id: string;
  /** YYYY-MM-DD */
  day: string;
  /** Store identifiers in the store's order, at most 200. */
  app_ids: readonly string[];
};

/** A reading with a smaller share of the kept one's places shows only a part of the chart. */
const minShare = 0.9;
/** After this many days, a shorter chart counts as whole: the store shows no more of it now. */
const longestShortDays = 14;

/** What a reading is to the kept one: what to compare it with, and whether to keep it. */
export type ChartStep = { before: ChartPage | null; isKept: boolean };

/**
 * Days are compared only when both show the chart equally deep, because ranks below the end of a short reading are unknown. A reading is
 * ignored when it is empty, not newer than the kept one, or shows only a part of the chart. The first reading of a chart is compared
 * with nothing, and so is the first one after it became shorter for good.
 */
export function nextChart(kept: ChartPage | null, taken: ChartPage): ChartStep {
  const none: ChartStep = { before: null, isKept: false };
  if (taken.app_ids.length === 0) return none;
  if (kept === null) return { before: null, isKept: true };
  if (taken.day <= kept.day) return none;
  if (taken.app_ids.length >= kept.app_ids.length * minShare) return { before: kept, isKept: true };
  return { before: null, isKept: kept.day < daysBefore(taken.day, longestShortDays) };
}
