import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../version.ts';
import { createEventMetrics } from './event-metrics.ts';
import { createJobMetrics } from './job-metrics.ts';
import { createOutboxMetrics } from './outbox-metrics.ts';
import { createPartMetrics } from './part-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const rpcBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

/**
 * The metrics that every process has. A service adds its own to `registry`.
 * @param options `withProcess` adds the default metrics of Node.js, such as CPU time, memory and event loop delay. They
 * wake the process a hundred times a second, so they are only for a process whose metrics can be read.
 */
export function createMetrics(options: { withProcess?: boolean; now?: () => Date } = {}) {
  const { withProcess = false, now = () => new Date() } = options;
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'shelfwise_build_info',
    help: 'Always 1; the labels say which version runs, on which version of Node.js',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);
  return {
    registry,
    /** Measured by the server. `outcome` is `OK` or the error code. */
    rpcSeconds: new Histogram({
      name: 'shelfwise_rpc_duration_seconds',
      help: 'Time to answer one RPC, in seconds',
      labelNames: ['service', 'method', 'outcome'],
      buckets: rpcBuckets,
      registers: [registry],
    }),
    /** Measured by the client. `service` is the called service, `outcome` is `OK`, the error code or `CANCELED`. */
    rpcClientSeconds: new Histogram({
      name: 'shelfwise_rpc_client_duration_seconds',
      help: 'Time until a call of an RPC was answered or failed, as its caller sees it, in seconds',
      labelNames: ['service', 'method', 'outcome'],
      buckets: rpcBuckets,
      registers: [registry],
    }),
    ...createEventMetrics(registry),
    outboxes: createOutboxMetrics(registry, now),
    jobQueues: createJobMetrics(registry, now),
    parts: createPartMetrics(registry),
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
    /** Items of the jobs that accounts create. `jobs` is the name of their queue. */
    bulkItems: new Counter({
      name: 'shelfwise_bulk_items_total',
      help: 'Items of the jobs of accounts that have ended, by outcome: done, failed',
      labelNames: ['jobs', 'outcome'] as const,
      registers: [registry],
    }),
    /** A retry gives a job a new due time, so the age of the backlog never shows a job that keeps failing. */
    lastingFailures: new Counter({
      name: 'shelfwise_daily_run_lasting_failures_total',
      help: 'Attempts at jobs that had already failed at least 30 times in a row, which takes about half a day',
      labelNames: ['jobs'] as const,
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
