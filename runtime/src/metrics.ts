import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The measures that every process has; a service adds its own to `registry`. */
export function createMetrics(options: { withProcess?: boolean } = {}) {
  const registry = new Registry();
  if (options.withProcess) collectDefaultMetrics({ register: registry });
  return {
    registry,
    /** Time to answer one RPC, in milliseconds, by outcome (OK or the error code). */
    rpcMs: new Histogram({
      name: 'shelfwise_rpc_duration_ms',
      help: 'Time to answer one RPC, in milliseconds',
      labelNames: ['service', 'method', 'outcome'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000],
      registers: [registry],
    }),
    eventsPublished: new Counter({
      name: 'shelfwise_events_published_total',
      help: 'Events handed to the bus',
      labelNames: ['topic'],
      registers: [registry],
    }),
    /** Of every service in the process that has lanes: `work` tells them apart. */
    lanePieces: new Counter({
      name: 'shelfwise_daily_run_pieces_total',
      help: 'Pieces of the daily run by outcome: done, failed, not_wanted, put_back',
      labelNames: ['work', 'outcome'] as const,
      registers: [registry],
    }),
    lanePaused: new Gauge({
      name: 'shelfwise_daily_run_paused',
      help: '1 while nothing of this work can be read',
      labelNames: ['work'] as const,
      registers: [registry],
    }),
  };
}
