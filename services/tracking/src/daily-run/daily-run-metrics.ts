import type { Metrics } from '@shelfwise/runtime/metrics';
import { Gauge } from 'prom-client';

export type DailyRunMetrics = ReturnType<typeof createDailyRunMetrics>;

export function createDailyRunMetrics({ registry }: Pick<Metrics, 'registry'>) {
  const registers = [registry];
  const ofStore = { labelNames: ['store'] as const, registers };
  return {
    due: new Gauge({
      name: 'shelfwise_markets_due',
      help: 'Markets that are due at this moment',
      ...ofStore,
    }),
    readToday: new Gauge({
      name: 'shelfwise_markets_read_today',
      help: 'Tracked markets that have a snapshot of this UTC day',
      ...ofStore,
    }),
    late: new Gauge({
      name: 'shelfwise_markets_late',
      help: 'Markets that were planned more than an hour ago and are not read yet',
      ...ofStore,
    }),
  };
}
