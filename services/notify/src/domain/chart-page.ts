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
/** When a chart was so short for this many days, that is what the store shows of it now. */
const longestShortDays = 14;

/** What a reading is to the kept one: what to compare it with, and whether to keep it. */
export type ChartStep = { before: ChartPage | null; isKept: boolean };

/**
 * Days are compared only when both show the chart equally deep: of an app below the last place of a short reading nothing is known.
 * An empty reading, one of the kept day or an earlier one, and one that shows a part of the chart are none: the next whole one is
 * compared with the kept one. The first reading of a chart changes nothing, nor does the first one after it became shorter for good.
 */
export function nextChart(kept: ChartPage | null, taken: ChartPage): ChartStep {
  const none: ChartStep = { before: null, isKept: false };
  if (taken.app_ids.length === 0) return none;
  if (kept === null) return { before: null, isKept: true };
  if (taken.day <= kept.day) return none;
  if (taken.app_ids.length >= kept.app_ids.length * minShare) return { before: kept, isKept: true };
  return { before: null, isKept: kept.day < daysBefore(taken.day, longestShortDays) };
}
