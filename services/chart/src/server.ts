import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createGrpcServer } from '@shelfwise/runtime/grpc-server';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { type Sleep, sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo-queries/prepare-database';
import type { Contracts } from '@shelfwise/runtime/reflection';
import type { DrainingPart } from '@shelfwise/runtime/run';
import type { StatusCheck } from '@shelfwise/runtime/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/status-service';
import type { Connection } from 'mongoose';
import { createChartParts } from './chart-parts.ts';
import { getTopChart } from './handlers/get-top-chart.ts';
import { listChartCategories } from './handlers/list-chart-categories.ts';

const drainMs = 8000;

/** The chart service on one database. */
export function createChartServer(deps: {
  /** to the database that is the service's own */
  connection: Connection;
  isDatabaseEmbedded: boolean;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** Whether this copy takes part in the daily run. */
  dailyRun: boolean;
  /** Between two looks of the daily run; by the clock on the wall when none is given. */
  sleep?: Sleep;
  /** host:port; port 0 lets the system choose */
  listenAddress: string;
  /** What clients may ask for; null: nothing. */
  contracts: Contracts | null;
}): DrainingPart & { address(): string; checks: Readonly<Record<string, StatusCheck>> } {
  const { connection, storeFetch, logger, metrics, now } = deps;
  const parts = createChartParts({
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
    'daily run': parts.dailyRun.status,
  };

  const server = createGrpcServer({ name: 'chart', logger, metrics });
  server.addService(ChartServiceService, {
    getTopChart: (request, call) => getTopChart(parts, request, call),
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
      parts.dailyRun.start();
    },
    announceDraining() {
      // `stop` tells what went wrong.
      parts.dailyRun.stop().catch(() => {});
    },
    async stop() {
      await Promise.all([server.drain(drainMs), parts.dailyRun.stop()]);
    },
    address: () => address,
    checks,
  };
}
