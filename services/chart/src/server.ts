import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay, type OutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import type { Model } from 'mongoose';
import { createDependencies } from './create-dependencies.ts';
import { createOnChartWanted } from './events/on-chart-wanted.ts';
import { getTopChart } from './handlers/get-top-chart.ts';
import { listChartCategories } from './handlers/list-chart-categories.ts';
import type { StoreFetchClient } from './read-chart.ts';
import { chartSchema } from './schema.ts';

/**
 * Creates the chart service. Any number of copies may share one database. Without a bus it publishes no chart and writes no events:
 * only notify would receive them.
 */
export function createChartServer(
  deps: GrpcServiceDeps & {
    storeFetch: StoreFetchClient;
    bus: EventBus | null;
    /** Whether this copy takes part in the daily run. */
    dailyRun: boolean;
    /** How long snapshots are kept; default: 400 days, which is also the maximum. */
    snapshotDays?: number | null;
    /** default: the system clock */
    sleep?: Sleep;
  },
): GrpcService & DrainingPart {
  const { connection, storeFetch, bus, logger, metrics, now } = deps;
  const hasCopies = !deps.isDatabaseEmbedded;
  const { takeForCaller, charts, snapshots, dailyRun, sweep } = createDependencies({
    connection,
    storeFetch,
    logger,
    metrics,
    diskSpace: deps.diskSpace,
    hasCopies,
    wake: bus && (() => relay?.wake()),
    now,
    sleep: deps.sleep ?? sleep,
    isInDailyRun: deps.dailyRun,
    snapshotDays: deps.snapshotDays ?? null,
    random: Math.random,
  });
  // The relay reads only the outbox fields; mongoose's Model type is invariant in its document type.
  const models = [snapshots.model] as unknown as Model<unknown>[];
  const relay: OutboxRelay | null =
    bus && createOutboxRelay({ models, service: 'chart', bus, hasCopies, logger, metrics, now });
  const checks: Record<string, StatusCheck> = { 'daily run': dailyRun.status };
  if (relay) checks.events = relay.status;
  if (bus?.status) checks['event bus'] = bus.status;
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
    checks,
    beforeCalls: () => relay?.start(),
    async startJobs() {
      dailyRun.start();
      sweep.start();
      if (!bus) return;
      await consumeTopics(bus, 'chart', { 'notify.chart-wanted.v1': createOnChartWanted({ charts, now }) });
    },
    announceDraining: () => void dailyRun.stop().catch(() => {}),
    stopJobs: () => Promise.all([dailyRun.stop(), sweep.stop()]),
    afterJobs: async () => relay?.stop(),
  });
}
