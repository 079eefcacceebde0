import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import { postOnce } from '@shelfwise/runtime/outgoing/post';
import type { TargetOptions } from '@shelfwise/runtime/outgoing/target';
import type { DrainingPart } from '@shelfwise/runtime/process/run';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { SecretBox } from '@shelfwise/runtime/secrets/secret-box';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { createDependencies } from './create-dependencies.ts';
import { describeDeliveries } from './delivery/describe-deliveries.ts';
import type { MailSettings } from './delivery/mailer.ts';
import type { PostOnce } from './delivery/send-delivery.ts';
import { createConsumers } from './events/create-consumers.ts';
import {
  createAlertChannel,
  deleteAlertChannel,
  listAlertChannels,
  updateAlertChannel,
} from './handlers/alert-channels.ts';
import { listAlertDeliveries, redeliverAlerts, testAlertChannel } from './handlers/alert-deliveries.ts';
import {
  createAlertDigest,
  deleteAlertDigest,
  listAlertDigests,
  updateAlertDigest,
} from './handlers/alert-digests.ts';
import { createAlertRule, deleteAlertRule, listAlertRules, updateAlertRule } from './handlers/alert-rules.ts';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { listAlerts } from './handlers/list-alerts.ts';
import { confirmAlertChannel, unsubscribeAlertChannel } from './handlers/mail-links.ts';
import { reportQuotaUse } from './handlers/report-quota-use.ts';
import { notifySchema } from './schema.ts';

/** The notify service on one database, which any number of copies may share. Without a bus it publishes no alerts. */
export function createNotifyServer(
  deps: GrpcServiceDeps & {
    bus: EventBus | null;
    /** Encrypts addresses and secrets of channels; null: SECRETS_KEY is not set, so there are no channels. */
    secretBox: SecretBox | null;
    /** Which addresses channels may have. */
    target: TargetOptions;
    /** How mail is sent, or the names of the settings that are missing: there are no channels by mail. */
    mail: MailSettings | readonly string[];
    /** How long a mail server may take for one mail; default: as long as a receiver. */
    mailTimeoutMs?: number | undefined;
    /** default: over the network */
    post?: PostOnce | undefined;
    /** default: the system clock */
    sleep?: Sleep;
  },
): GrpcService & DrainingPart {
  const { connection, bus, logger, metrics, secretBox, target, now } = deps;
  const dependencies = createDependencies({
    connection,
    bus,
    logger,
    metrics,
    diskSpace: deps.diskSpace,
    hasCopies: !deps.isDatabaseEmbedded,
    isOnlyCopy: deps.isOnlyCopy ?? false,
    secretBox,
    target,
    mail: deps.mail,
    mailTimeoutMs: deps.mailTimeoutMs,
    post: deps.post ?? postOnce,
    now,
    sleep: deps.sleep ?? sleep,
    random: Math.random,
  });
  const { sweep, unreadSweep, wantCharts, worker, digestWorker, sealAgain } = dependencies;
  const { mailer, missingSettings } = dependencies;
  const checks: Record<string, StatusCheck> = {
    'received events': async () => describeEvents(bus),
    deliveries: async () => describeDeliveries(worker, { hasKey: secretBox !== null, missingSettings }),
  };
  if (bus?.status) checks['event bus'] = bus.status;
  const { handlers, batchHandlers, repeatable } = createConsumers(dependencies);
  return createGrpcService(deps, {
    name: 'notify',
    schema: notifySchema,
    services: [
      bindHandlers(
        NotifyServiceService,
        {
          listAlerts,
          listAlertRules,
          createAlertRule,
          updateAlertRule,
          deleteAlertRule,
          listAlertChannels,
          createAlertChannel,
          updateAlertChannel,
          deleteAlertChannel,
          confirmAlertChannel,
          unsubscribeAlertChannel,
          testAlertChannel,
          listAlertDeliveries,
          redeliverAlerts,
          reportQuotaUse,
          listAlertDigests,
          createAlertDigest,
          updateAlertDigest,
          deleteAlertDigest,
        },
        dependencies,
      ),
      bindHandlers(AccountRowsServiceService, { deleteAccountRows }, dependencies),
    ],
    checks,
    async startJobs() {
      sweep.start();
      sealAgain.start();
      worker.start();
      digestWorker.start();
      if (!bus) return;
      await consumeTopics(bus, 'notify', handlers, batchHandlers, { gathers: true, repeatable });
      // Without events every keyword would look unread.
      unreadSweep.start();
      wantCharts?.start();
    },
    announceDraining() {
      for (const one of [worker, digestWorker]) void one.stop().catch(() => {});
    },
    async stopJobs() {
      await Promise.all([
        worker.stop(),
        digestWorker.stop(),
        sweep.stop(),
        sealAgain.stop(),
        unreadSweep.stop(),
        wantCharts?.stop(),
      ]);
      mailer?.close();
    },
  });
}

function describeEvents(bus: EventBus | null) {
  return {
    name: 'received events',
    state: bus ? PartState.OK : PartState.DEGRADED,
    detail: bus
      ? 'received as they are published'
      : 'no event bus is set (KAFKA_BROKERS), so this service receives no events and publishes no alerts',
    is_embedded: bus?.isEmbedded ?? false,
  };
}
