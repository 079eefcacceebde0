import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createDependencies } from './create-dependencies.ts';
import { getTopChart } from './handlers/get-top-chart.ts';
import { listChartCategories } from './handlers/list-chart-categories.ts';
import type { StoreFetchClient } from './read-chart.ts';
import { chartSchema } from './schema.ts';

/** Creates the chart service. Any number of copies may share one database. */
export function createChartServer(
  deps: GrpcServiceDeps & {
    storeFetch: StoreFetchClient;
    /** Whether this copy takes part in the daily run. */
    dailyRun: boolean;
    /** How long snapshots are kept; default: 400 days, which is also the maximum. */
    snapshotDays?: number | null;
    /** default: the system clock */
    sleep?: Sleep;
  },
): GrpcService & DrainingPart {
  const { connection, storeFetch, logger, metrics, now } = deps;
  const { takeForCaller, snapshots, dailyRun, sweep } = createDependencies({
    connection,
    storeFetch,
    logger,
    metrics,
    diskSpace: deps.diskSpace,
    hasCopies: !deps.isDatabaseEmbedded,
    now,
    sleep: deps.sleep ?? sleep,
    isInDailyRun: deps.dailyRun,
    snapshotDays: deps.snapshotDays ?? null,
    random: Math.random,
  });
  return createGrpcService(deps, {
    name: 'chart',
    schema: chartSchema,
    services: [
      bindHandlers(
        ChartServiceService,
        { getTopChart, listChartCategories: (_, request) => listChartCategories(request) },
        { takeForCaller, snapshots, now },
      ),
    ],
    checks: { 'daily run': dailyRun.status },
    startJobs() {
      dailyRun.start();
      sweep.start();
    },
    announceDraining: () => void dailyRun.stop().catch(() => {}),
    stopJobs: () => Promise.all([dailyRun.stop(), sweep.stop()]),
  });
}
