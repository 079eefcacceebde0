import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import type { Alert } from './domain/alert.ts';
import { groupBy } from './domain/group-by.ts';
import type { NotifyMetrics } from './notify-metrics.ts';
import type { AlertStore } from './stores/alert-store.ts';

export type TellAlerts = ReturnType<typeof createTellAlerts>;

/**
 * Adds what rules found to the feeds of their accounts, each alert once. The alerts of an account are added one call after the
 * other: copies that meet would only repeat their queries.
 */
export function createTellAlerts(deps: {
  alerts: Pick<AlertStore, 'tell'>;
  locks: LocksByKey;
  metrics: NotifyMetrics;
  now: () => Date;
}) {
  const { alerts, locks, metrics, now } = deps;
  return async (found: readonly Alert[]): Promise<void> => {
    for (const [accountId, ofAccount] of groupBy(found, ({ account_id: id }) => id)) {
      const told = await locks.withLock(accountId, () => alerts.tell(accountId, ofAccount, now()));
      if (told > 0) metrics.alerts.inc(told);
    }
  };
}
