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
/** A kept reading that is older says nothing about a change of today, and the store may show less of the chart for good. */
const comparedDays = 14;

/** What a reading is to the kept one: what to compare it with, and whether to keep it. */
export type ChartStep = { before: ChartPage | null; isKept: boolean };

/**
 * Days are compared only when both show the chart equally deep, because ranks below the end of a short reading are unknown. A reading is
 * ignored when it is empty, not newer than the kept one, or shows only a part of the chart. The first reading of a chart is compared
 * with nothing, and so is the first one after two weeks without any: the chart may not have been asked for in months.
 */
export function nextChart(kept: ChartPage | null, taken: ChartPage): ChartStep {
  const none: ChartStep = { before: null, isKept: false };
  if (taken.app_ids.length === 0) return none;
  if (kept === null) return { before: null, isKept: true };
  if (taken.day <= kept.day) return none;
  if (kept.day < daysBefore(taken.day, comparedDays)) return { before: null, isKept: true };
  return taken.app_ids.length >= kept.app_ids.length * minShare ? { before: kept, isKept: true } : none;
}
