import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { Alert } from './domain/alert.ts';
import type { ForgetDeletedAccounts } from './forget-account.ts';
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
  forgetDeletedAccounts: ForgetDeletedAccounts;
  metrics: NotifyMetrics;
  now: () => Date;
}) {
  const { alerts, locks, forgetDeletedAccounts, metrics, now } = deps;
  return async (found: readonly Alert[]): Promise<void> => {
    const byAccount = groupBy(found, ({ account_id: id }) => id);
    for (const [accountId, ofAccount] of byAccount) {
      const told = await locks.withLock(accountId, () => alerts.tell(accountId, ofAccount, now()));
      for (const { kind } of told) metrics.toldAlerts.inc({ kind });
    }
    await forgetDeletedAccounts([...byAccount.keys()]);
  };
}
