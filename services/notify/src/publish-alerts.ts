import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { AnnounceAlerts } from './delivery/announce-alerts.ts';
import type { Alert } from './domain/alert.ts';
import type { ForgetDeletedAccounts } from './forget-account.ts';
import type { NotifyMetrics } from './notify-metrics.ts';
import type { AlertStore } from './stores/alert-store.ts';
import type { ChannelStore } from './stores/channel-store.ts';
import type { RuleStore } from './stores/rule-store.ts';

export type PublishAlerts = ReturnType<typeof createPublishAlerts>;

/**
 * Adds what rules found to the feeds of their accounts, each alert once and with the channels of its rule that are on, then makes these
 * due. After a crash in between the event comes again and makes them due. The alerts of an account are added one call after
 * the other: copies that meet would only repeat their queries.
 */
export function createPublishAlerts(deps: {
  alerts: Pick<AlertStore, 'add'>;
  rules: Pick<RuleStore, 'findChannels'>;
  channels: Pick<ChannelStore, 'findOn'>;
  announceAlerts: AnnounceAlerts;
  locks: LocksByKey;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  metrics: NotifyMetrics;
  now: () => Date;
}) {
  const { alerts, rules, channels, announceAlerts, locks, forgetDeletedAccounts, metrics, now } = deps;
  return async (found: readonly Alert[]): Promise<void> => {
    if (found.length === 0) return;
    const ruleIds = found.flatMap(({ rule_id: id }) => id ?? []);
    const ofRules = await rules.findChannels([...new Set(ruleIds)]);
    const on = await channels.findOn([...new Set([...ofRules.values()].flat())]);
    const byAccount = groupBy(found, ({ account_id: id }) => id);
    for (const [accountId, ofAccount] of byAccount) {
      const routed = ofAccount.map((alert) => {
        const channelIds = (alert.rule_id !== null && ofRules.get(alert.rule_id)) || [];
        return { ...alert, channels: channelIds.filter((id) => on.has(id)) };
      });
      const added = await locks.withLock(accountId, () => alerts.add(accountId, routed, now()));
      for (const { kind } of added) metrics.alertsPublished.inc({ kind });
    }
    await announceAlerts([...on]);
    await forgetDeletedAccounts([...byAccount.keys()]);
  };
}
