import type { Metrics } from '@shelfwise/runtime/metrics';
import { Counter, Gauge } from 'prom-client';

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
    pieces: new Counter({
      name: 'shelfwise_daily_run_pieces_total',
      help: 'Pieces of the daily run by outcome: done, failed, not_wanted, put_back',
      labelNames: ['work', 'outcome'] as const,
      registers,
    }),
    paused: new Gauge({
      name: 'shelfwise_daily_run_paused',
      help: '1 while nothing of this work can be read',
      labelNames: ['work'] as const,
      registers,
    }),
  };
}
