import { stores } from '@shelfwise/facts/store';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createDailyRun } from '@shelfwise/runtime/lanes/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/lanes/daily-run-metrics';
import { createLane } from '@shelfwise/runtime/lanes/lane';
import { createProgressCounter } from '@shelfwise/runtime/lanes/progress-counter';
import type { Sleep } from '@shelfwise/runtime/lanes/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { createSourceGuard } from '@shelfwise/runtime/source-guard';
import type { Connection } from 'mongoose';
import { createChartTaker } from './chart-taker.ts';
import { createChartWork } from './daily-run/chart-work.ts';
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

  const lanes = stores.map((store) => {
    const work = createChartWork({ store, dueCharts, snapshots, chartTaker, now, random });
    return createLane({ work, logger, metrics, now, sleep });
  });
  const sweeper = createSnapshotSweeper({ snapshots, logger, now, sleep });
  const dailyRunMetrics = createDailyRunMetrics(metrics, {
    what: 'charts',
    readToday: 'Charts read by themselves that have a snapshot of this UTC day',
  });
  const counter = createProgressCounter({ planned: dueCharts, metrics: dailyRunMetrics, now, sleep });
  const dailyRun = createDailyRun({
    isOn: deps.isInDailyRun,
    lanes,
    background: [sweeper, counter],
    what: 'charts',
    readProgress: counter.latest,
  });

  return { chartTaker, snapshots, dailyRun };
}
