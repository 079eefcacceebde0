import type { Metrics } from '@shelfwise/runtime/metrics';
import { Gauge } from 'prom-client';

export type DailyRunMetrics = ReturnType<typeof createDailyRunMetrics>;

export function createDailyRunMetrics({ registry }: Pick<Metrics, 'registry'>) {
  const ofStore = { labelNames: ['store'] as const, registers: [registry] };
  return {
    due: new Gauge({
      name: 'shelfwise_charts_due',
      help: 'Charts that are due at this moment',
      ...ofStore,
    }),
    readToday: new Gauge({
      name: 'shelfwise_charts_read_today',
      help: 'Charts read by themselves that have a snapshot of this UTC day',
      ...ofStore,
    }),
    late: new Gauge({
      name: 'shelfwise_charts_late',
      help: 'Charts that were planned more than an hour ago and are not read yet',
      ...ofStore,
    }),
  };
}
