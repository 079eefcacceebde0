import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import type { Contracts } from '@shelfwise/runtime/grpc/reflection';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { Connection } from 'mongoose';
import { createDependencies } from './create-dependencies.ts';
import { getTopChart } from './handlers/get-top-chart.ts';
import { listChartCategories } from './handlers/list-chart-categories.ts';
import type { StoreFetchClient } from './read-chart.ts';

/** How long a stop waits for calls in progress. */
const drainMs = 8000;

/** Creates the chart service. Any number of copies may share one database. */
export function createChartServer(deps: {
  /** to the service's own database */
  connection: Connection;
  /** Shown in the health report. */
  isDatabaseEmbedded: boolean;
  storeFetch: StoreFetchClient;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** Whether this copy takes part in the daily run. */
  dailyRun: boolean;
  /** default: the system clock */
  sleep?: Sleep;
  /** host:port; port 0 lets the system choose */
  listenAddress: string;
  /** served by gRPC reflection; null turns reflection off */
  contracts: Contracts | null;
}): DrainingPart & { address(): string; checks: Readonly<Record<string, StatusCheck>> } {
  const { connection, storeFetch, logger, metrics, now } = deps;
  const { takeForCaller, snapshots, dailyRun } = createDependencies({
    connection,
    storeFetch,
    logger,
    metrics,
    now,
    sleep: deps.sleep ?? sleep,
    isInDailyRun: deps.dailyRun,
    random: Math.random,
  });
  const checks = {
    database: databaseStatus(connection, deps.isDatabaseEmbedded),
    'daily run': dailyRun.status,
  };

  const server = createGrpcServer({ name: 'chart', logger, metrics });
  server.addService(ChartServiceService, {
    getTopChart: (request, call) => getTopChart({ takeForCaller, snapshots }, request, call),
    listChartCategories: (request) => listChartCategories(request),
  });
  server.addService(statusService, createStatusHandlers(checks));
  if (deps.contracts) server.reflect(deps.contracts);

  let address = '';
  return {
    name: 'chart',
    async start() {
      await prepareDatabase(connection);
      address = await server.listen(deps.listenAddress);
      dailyRun.start();
    },
    announceDraining() {
      // `stop` awaits the same promise and reports its error.
      dailyRun.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([server.drain(drainMs), dailyRun.stop()]);
    },
    address: () => address,
    checks,
  };
}
