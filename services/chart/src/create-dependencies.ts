import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { stores } from '@shelfwise/facts/stores/store';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import { createDailyRun } from '@shelfwise/runtime/jobs/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/jobs/daily-run-metrics';
import { createProgressCounter } from '@shelfwise/runtime/jobs/progress-counter';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import { createWorker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { Connection } from 'mongoose';
import { createChartJobs } from './daily-run/chart-jobs.ts';
import { createReadChart, type StoreFetchClient } from './read-chart.ts';
import { createChartSnapshotStore } from './stores/chart-snapshot-store.ts';
import { createChartStore } from './stores/chart-store.ts';
import { createDueChartStore } from './stores/due-chart-store.ts';
import { createTakeChartSnapshot } from './take-chart-snapshot.ts';

/** The longest time window of any API request. */
const maxSnapshotDays = 400;

export function createStores(connection: Connection) {
  return { charts: createChartStore(connection), snapshots: createChartSnapshotStore(connection) };
}

/** Creates the handlers' dependencies, the daily run and the sweep of old snapshots. */
export function createDependencies(deps: {
  connection: Connection;
  storeFetch: StoreFetchClient;
  logger: Logger;
  metrics: Metrics;
  /** The disk of an embedded database. */
  diskSpace?: DiskSpace | undefined;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  /** Whether this copy takes part in the daily run. */
  isInDailyRun: boolean;
  /** How long snapshots are kept; null or more than 400: 400 days. */
  snapshotDays: number | null;
  /** Called after an event was stored in the outbox; null: nothing publishes events. */
  wake: (() => void) | null;
  now: () => Date;
  sleep: Sleep;
  /** A random number from 0 to 1. */
  random: () => number;
}) {
  const { connection, storeFetch, logger, metrics, diskSpace, hasCopies, wake, now, sleep, random } = deps;
  const { charts, snapshots } = createStores(connection);
  const dueCharts = createDueChartStore(charts);
  const readChart = createReadChart({ storeFetch, sourceGuard: createSourceGuard({ connection }) });
  const { takeForCaller, takeForDailyRun } = createTakeChartSnapshot({
    charts,
    snapshots,
    readChart,
    wake,
    now,
  });

  const workers = stores.map((store) => {
    const { queue } = dueCharts;
    const jobs = createChartJobs({ store, queue, snapshots, readChart, takeForDailyRun, now, random });
    return createWorker({ source: jobs, hasCopies, logger, metrics, diskSpace, now, sleep });
  });
  const sweep = createSweep({
    expiring: [
      {
        name: 'chart snapshots',
        keptDays: Math.min(deps.snapshotDays ?? maxSnapshotDays, maxSnapshotDays),
        deleteBefore: (before) => snapshots.deleteBefore(utcDay(before)),
      },
    ],
    logger,
    now,
    sleep,
  });
  const dailyRunMetrics = createDailyRunMetrics(metrics, {
    items: 'charts',
    label: 'store',
    readToday: 'Charts in the daily run that have a snapshot of this UTC day',
  });
  const counter = createProgressCounter({
    groups: stores,
    planned: dueCharts,
    metrics: dailyRunMetrics,
    now,
    sleep,
  });
  const dailyRun = createDailyRun({
    isOn: deps.isInDailyRun,
    workers,
    background: [counter],
    item: 'chart',
    readProgress: counter.latest,
  });

  return { takeForCaller, charts, snapshots, dailyRun, sweep };
}
