import { chartIdOf } from '@shelfwise/facts/stores/chart-key';
import type { ChartWanted } from '@shelfwise/proto/notify/v1/events';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { checkChart } from '../check-chart.ts';
import { planAfter } from '../domain/chart-plan.ts';
import type { ChartStore } from '../stores/chart-store.ts';

/**
 * A rule of notify looks at a chart: it counts as requested, and is read daily from today on, as late as its time of the day is. An
 * event that comes again changes nothing. Cost: two updates by id.
 */
export function createOnChartWanted(deps: { charts: Pick<ChartStore, 'recordRequest'>; now: () => Date }) {
  const { charts, now } = deps;
  return async (wanted: ChartWanted): Promise<void> => {
    const key = checkChart(wanted);
    const at = now();
    const yesterday = { day: daysBefore(utcDay(at), 1), hasRatings: true };
    await charts.recordRequest(key, at, planAfter(chartIdOf(key), yesterday, at));
  };
}
