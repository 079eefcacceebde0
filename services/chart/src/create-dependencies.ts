import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { stores } from '@shelfwise/facts/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createDailyRun } from '@shelfwise/runtime/jobs/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/jobs/daily-run-metrics';
import { createProgressCounter } from '@shelfwise/runtime/jobs/progress-counter';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import { createWorker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import type { Connection } from 'mongoose';
import { createChartTaker } from './chart-taker.ts';
import { createChartJobs } from './daily-run/chart-jobs.ts';
import { createSnapshotSweeper } from './daily-run/snapshot-sweeper.ts';
import { createChartSnapshotStore } from './stores/chart-snapshot-store.ts';
import { createChartStore } from './stores/chart-store.ts';
import { createDueChartStore } from './stores/due-chart-store.ts';

/** What the handlers work with. */
export type ChartParts = ReturnType<typeof createChartParts>;

export function createChartParts(deps: {
  connection: Connection;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  logger: Logger;
  metrics: Metrics;
  /** Whether this copy takes part in the daily run. */
  isInDailyRun: boolean;
  now: () => Date;
  sleep: Sleep;
  /** 0 to 1 */
  random: () => number;
}) {
  const { connection, storeFetch, logger, metrics, now, sleep, random } = deps;
  const charts = createChartStore(connection);
  const dueCharts = createDueChartStore(charts);
  const snapshots = createChartSnapshotStore(connection);
  const sourceGuard = createSourceGuard({ connection });
  const chartTaker = createChartTaker({ charts, snapshots, storeFetch, sourceGuard, now });

  const workers = stores.map((store) => {
    const work = createChartJobs({ store, dueCharts, snapshots, chartTaker, now, random });
    return createWorker({ source: work, logger, metrics, now, sleep });
  });
  const sweeper = createSnapshotSweeper({ snapshots, logger, now, sleep });
  const dailyRunMetrics = createDailyRunMetrics(metrics, {
    what: 'charts',
    label: 'store',
    readToday: 'Charts read by themselves that have a snapshot of this UTC day',
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
    background: [sweeper, counter],
    what: 'charts',
    readProgress: counter.latest,
  });

  return { chartTaker, snapshots, dailyRun };
}
