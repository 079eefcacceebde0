import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import type { Connection } from 'mongoose';
import { createStores } from './create-stores.ts';
import { createGiveDefaultRules } from './default-rules.ts';
import { createForgetDeletedAccounts } from './forget-account.ts';
import { createNotifyMetrics } from './notify-metrics.ts';
import { createTellAlerts } from './tell-alerts.ts';
import { createUnreadSweep } from './unread-sweep.ts';

/** The longest time window of any API request. */
const keptDays = 400;

/** Creates the dependencies of handlers and consumers, and the sweep of old alerts and pages. */
export function createDependencies(deps: {
  connection: Connection;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  sleep: Sleep;
}) {
  const { connection, logger, now, sleep } = deps;
  const stores = createStores(connection);
  const { alerts, pages } = stores;
  const locks = createLocksByKey();
  const sweep = createSweep({
    expiring: [
      { name: 'alerts', keptDays, deleteBefore: alerts.deleteBefore },
      {
        name: 'pages of keywords',
        keptDays,
        deleteBefore: (before) => pages.deleteBefore(utcDay(before)),
      },
    ],
    logger,
    now,
    sleep,
  });
  const forgetDeletedAccounts = createForgetDeletedAccounts(stores);
  const notifyMetrics = createNotifyMetrics(deps.metrics);
  const tellAlerts = createTellAlerts({ alerts, locks, forgetDeletedAccounts, metrics: notifyMetrics, now });
  return {
    ...stores,
    tellAlerts,
    unreadSweep: createUnreadSweep({ ...stores, tellAlerts, logger, now, sleep }),
    giveDefaultRules: createGiveDefaultRules({ ...stores, locks, now }),
    forgetDeletedAccounts,
    sourceGuard: createSourceGuard({ connection }),
    sweep,
    now,
  };
}
