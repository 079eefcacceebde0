import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { checkAll } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createDependencies } from './create-dependencies.ts';
import { getTopChart } from './handlers/get-top-chart.ts';
import { listChartCategories } from './handlers/list-chart-categories.ts';
import type { StoreFetchClient } from './read-chart.ts';
import { chartSchema } from './schema.ts';

/** How long a stop waits for calls in progress. */
const drainMs = 8000;

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
    now,
    sleep: deps.sleep ?? sleep,
    isInDailyRun: deps.dailyRun,
    snapshotDays: deps.snapshotDays ?? null,
    random: Math.random,
  });
  const database = databaseStatus(connection, deps.isDatabaseEmbedded);
  const checks = {
    database,
    'daily run': dailyRun.status,
  };

  metrics.parts.add('chart', () => checkAll(checks));
  const server = createGrpcServer({
    name: 'chart',
    logger,
    metrics,
    hasReflection: deps.hasReflection,
    security: deps.security,
    ownNeeds: database,
  });
  server.addService(ChartServiceService, {
    getTopChart: (request, call) => getTopChart({ takeForCaller, snapshots }, request, call),
    listChartCategories: (request) => listChartCategories(request),
  });
  server.addService(statusService, createStatusHandlers(checks));

  let address = '';
  return {
    name: 'chart',
    async start() {
      await prepareDatabase(connection, chartSchema, deps.schemaMode);
      address = await server.listen(deps.listenAddress);
      dailyRun.start();
      sweep.start();
    },
    announceDraining() {
      // `stop` awaits the same promise and reports its error.
      dailyRun.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([server.drain(drainMs), dailyRun.stop(), sweep.stop()]);
    },
    address: () => address,
    inProcess: server.inProcess,
    checks,
  };
}
