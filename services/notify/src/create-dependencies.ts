import { deliveryDays } from '@shelfwise/facts/alerts/alert-channels';
import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { type Sleep, sleep as systemSleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import { createWorker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { createCapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import type { TargetOptions } from '@shelfwise/runtime/outgoing/target';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { SecretBox } from '@shelfwise/runtime/secrets/secret-box';
import type { Connection } from 'mongoose';
import { createStores } from './create-stores.ts';
import { createGiveDefaultRules } from './default-rules.ts';
import { createAnnounceAlerts } from './delivery/announce-alerts.ts';
import { createAskToConfirm } from './delivery/ask-to-confirm.ts';
import { createChannelJobs } from './delivery/channel-jobs.ts';
import { createDigestJobs } from './delivery/digest-jobs.ts';
import { createMailer, type MailSettings } from './delivery/mailer.ts';
import { createNotifyChannelOff } from './delivery/notify-channel-off.ts';
import { createPlanDelivery } from './delivery/plan-delivery.ts';
import { createSealAgain } from './delivery/seal-again.ts';
import { createSendDelivery, type PostOnce, sendMs } from './delivery/send-delivery.ts';
import type { Rule } from './domain/rule.ts';
import { createForgetDeletedAccounts } from './forget-account.ts';
import { createNotifyMetrics } from './notify-metrics.ts';
import { createPublishAlerts } from './publish-alerts.ts';
import { createUnreadSweep } from './unread-sweep.ts';
import { createWantCharts } from './want-charts.ts';

/** The longest time window of any API request. */
const keptDays = 400;

/** Creates the dependencies of handlers and consumers, the sweep of old rows, and the worker that sends to channels. */
export function createDependencies(deps: {
  connection: Connection;
  /** Null: it receives no events and asks for no charts. */
  bus: EventBus | null;
  logger: Logger;
  metrics: Metrics;
  /** The disk of an embedded database. */
  diskSpace?: DiskSpace | undefined;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  /** See `ServiceDeps`. */
  isOnlyCopy: boolean;
  /** Null: SECRETS_KEY is not set. */
  secretBox: SecretBox | null;
  target: TargetOptions;
  /** Or the names of those that are missing. */
  mail: MailSettings | readonly string[];
  /** How long a mail server may take for one mail; default: as long as a receiver. */
  mailTimeoutMs?: number | undefined;
  post: PostOnce;
  now: () => Date;
  sleep: Sleep;
  /** A random number from 0 to 1. */
  random: () => number;
}) {
  const { connection, bus, logger, diskSpace, hasCopies, secretBox, target, mail, post } = deps;
  const { now, sleep, random } = deps;
  const stores = createStores(connection, deps);
  const { alerts, channels, chartPages, deliveries, pages } = stores;
  const locks = createLocksByKey();
  const sweep = createSweep({
    expiring: [
      { name: 'alerts', keptDays, deleteBefore: alerts.deleteBefore },
      {
        name: 'pages of keywords',
        keptDays,
        deleteBefore: (before) => pages.deleteBefore(utcDay(before)),
      },
      {
        name: 'pages of charts',
        keptDays,
        deleteBefore: (before) => chartPages.deleteBefore(utcDay(before)),
      },
      { name: 'deliveries of alerts', keptDays: deliveryDays, deleteBefore: deliveries.deleteBefore },
      { name: 'mailed addresses', keptDays: 1, deleteBefore: stores.mailedAddresses.deleteBefore },
    ],
    logger,
    now,
    sleep,
  });
  const forgetDeletedAccounts = createForgetDeletedAccounts(stores);
  const metrics = createNotifyMetrics(deps.metrics);
  const wake = () => worker.wake();
  const announceAlerts = createAnnounceAlerts({ channels, wake, now });
  const publishAlerts = createPublishAlerts({
    ...stores,
    announceAlerts,
    locks,
    forgetDeletedAccounts,
    metrics,
    now,
  });
  const mailer =
    'server' in mail ? createMailer(mail, { timeoutMs: deps.mailTimeoutMs ?? sendMs, logger }) : null;
  const missingSettings = 'server' in mail ? [] : mail;
  const sendDelivery = createSendDelivery({ alerts, secretBox, post, mailer, target, now });
  const notifyChannelOff = createNotifyChannelOff({ publishAlerts });
  const worker = createWorker({
    source: createChannelJobs({
      ...stores,
      planDelivery: createPlanDelivery({ ...stores, forgetDeletedAccounts, wake, now }),
      sendDelivery,
      notifyChannelOff,
      wake,
      metrics,
      now,
      sleep,
      random,
    }),
    hasCopies,
    logger,
    metrics: deps.metrics,
    diskSpace,
    now,
    sleep,
  });
  const wakeDigests = () => digestWorker.wake();
  const digestWorker = createWorker({
    source: createDigestJobs({ ...stores, forgetDeletedAccounts, wakeChannels: wake, now, random }),
    hasCopies,
    logger,
    metrics: deps.metrics,
    diskSpace,
    now,
    sleep,
  });
  const wantCharts = bus && createWantCharts({ ...stores, bus, logger, now, sleep });
  return {
    ...stores,
    publishAlerts,
    wantCharts,
    askForCharts: (rule: Rule) => wantCharts?.ask(rule),
    unreadSweep: createUnreadSweep({ ...stores, publishAlerts, logger, now, sleep }),
    sealAgain: createSealAgain({ ...stores, secretBox, logger, sleep }),
    giveDefaultRules: createGiveDefaultRules({ ...stores, locks, now }),
    // Waits for other calls of the account in real time, also in tests.
    capReservations: createCapReservations({ ...stores, now, sleep: systemSleep }),
    forgetDeletedAccounts,
    sourceGuard: createSourceGuard({ connection }),
    sendDelivery,
    askToConfirm: createAskToConfirm({ ...stores, mailer, missingSettings, now }),
    notifyChannelOff,
    mailer,
    missingSettings,
    secretBox,
    target,
    wake,
    worker,
    wakeDigests,
    digestWorker,
    sweep,
    now,
  };
}
