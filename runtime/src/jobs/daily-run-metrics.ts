import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics/metrics.ts';

export type DailyRunMetrics = ReturnType<typeof createDailyRunMetrics>;

/**
 * The progress gauges of a daily run. `items` is the plural name of the items that are read: `pages` makes
 * `shelfwise_pages_due` and so on. `readToday` is the help text for the items that count as read. `label` is the
 * label of the groups.
 */
export function createDailyRunMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  { items, readToday, label }: { items: string; readToday: string; label: string },
) {
  const subject = items.charAt(0).toUpperCase() + items.slice(1);
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `shelfwise_${items}_${name}`, help, labelNames: [label], registers: [registry] });
  const gauges = {
    due: gauge('due', `${subject} that are due at this moment`),
    readToday: gauge('read_today', readToday),
    late: gauge('late', `${subject} that have been due for more than an hour`),
  };
  return {
    set: (progress: keyof typeof gauges, group: string, count: number) =>
      gauges[progress].set({ [label]: group }, count),
  };
}
