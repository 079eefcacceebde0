import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createDependencies } from './create-dependencies.ts';
import { createConsumers } from './events/create-consumers.ts';
import { createAlertRule, deleteAlertRule, listAlertRules, updateAlertRule } from './handlers/alert-rules.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { listAlerts } from './handlers/list-alerts.ts';
import { notifySchema } from './schema.ts';

/** The notify service on one database, which any number of copies may share. Without a bus it tells no alerts. */
export function createNotifyServer(
  deps: GrpcServiceDeps & {
    bus: EventBus | null;
    /** default: the system clock */
    sleep?: Sleep;
  },
): GrpcService {
  const { connection, bus, logger, metrics, now } = deps;
  const dependencies = createDependencies({ connection, logger, metrics, now, sleep: deps.sleep ?? sleep });
  const { sweep, unreadSweep } = dependencies;
  const checks: Record<string, StatusCheck> = { 'received events': async () => describeEvents(bus) };
  if (bus?.status) checks['event bus'] = bus.status;
  const { handlers, batchHandlers } = createConsumers(dependencies);
  return createGrpcService(deps, {
    name: 'notify',
    schema: notifySchema,
    services: [
      bindHandlers(
        NotifyServiceService,
        { listAlerts, listAlertRules, createAlertRule, updateAlertRule, deleteAlertRule },
        dependencies,
      ),
      bindHandlers(AccountRowsServiceService, { deleteAccountRows }, dependencies),
    ],
    checks,
    async startJobs() {
      sweep.start();
      if (!bus) return;
      await consumeTopics(bus, 'notify', handlers, batchHandlers);
      // Without events every keyword would look unread.
      unreadSweep.start();
    },
    stopJobs: () => Promise.all([sweep.stop(), unreadSweep.stop()]),
  });
}

function describeEvents(bus: EventBus | null) {
  return {
    name: 'received events',
    state: bus ? PartState.OK : PartState.DEGRADED,
    detail: bus
      ? 'received as they are published'
      : 'no event bus is set (KAFKA_BROKERS), so this service receives no events and tells no alerts',
    is_embedded: bus?.isEmbedded ?? false,
  };
}
