import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
  };
}
