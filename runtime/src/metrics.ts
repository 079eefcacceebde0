import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * The metrics that every process has. A service adds its own to `registry`.
 * @param options `withProcess` adds the default metrics of Node.js, such as CPU time, memory and event loop delay.
 */
export function createMetrics(options: { withProcess?: boolean } = {}) {
  const registry = new Registry();
  if (options.withProcess) collectDefaultMetrics({ register: registry });
  return {
    registry,
    /** Measured by the server. `outcome` is `OK` or the error code. */
    rpcSeconds: new Histogram({
      name: 'shelfwise_rpc_duration_seconds',
      help: 'Time to answer one RPC, in seconds',
      labelNames: ['service', 'method', 'outcome'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60],
      registers: [registry],
    }),
    eventsPublished: new Counter({
      name: 'shelfwise_events_published_total',
      help: 'Events published to the bus',
      labelNames: ['topic'],
      registers: [registry],
    }),
    eventsRefused: new Counter({
      name: 'shelfwise_events_refused_total',
      help: 'Events that the bus refused for good, such as for their size; each attempt counts',
      labelNames: ['topic'],
      registers: [registry],
    }),
    /**
     * From all workers of the process (`createWorker`): they run the jobs that become due every day. `jobs` is the
     * name of the worker's `JobSource`.
     */
    workerJobs: new Counter({
      name: 'shelfwise_daily_run_jobs_total',
      help: 'Jobs of the daily run by outcome: done, failed, skipped, requeued',
      labelNames: ['jobs', 'outcome'] as const,
      registers: [registry],
    }),
    workerPaused: new Gauge({
      name: 'shelfwise_daily_run_paused',
      help: '1 while a worker is paused because its jobs fail',
      labelNames: ['jobs'] as const,
      registers: [registry],
    }),
  };
}
