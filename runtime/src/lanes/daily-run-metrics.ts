import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.ts';

export type DailyRunMetrics = ReturnType<typeof createDailyRunMetrics>;

/**
 * The measures of what is read by itself every day, by store. `what` names it in the plural: `markets` makes
 * `shelfwise_markets_due` and so on. `readToday` says which of them count as read.
 */
export function createDailyRunMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  { what, readToday }: { what: string; readToday: string },
) {
  const ofStore = { labelNames: ['store'] as const, registers: [registry] };
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  return {
    due: new Gauge({
      name: `shelfwise_${what}_due`,
      help: `${subject} that are due at this moment`,
      ...ofStore,
    }),
    readToday: new Gauge({
      name: `shelfwise_${what}_read_today`,
      help: readToday,
      ...ofStore,
    }),
    late: new Gauge({
      name: `shelfwise_${what}_late`,
      help: `${subject} that were planned more than an hour ago and are not read yet`,
      ...ofStore,
    }),
  };
}
