import type { ListingAudited } from '@shelfwise/proto/scoring/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import { nextAudit } from '../domain/audit-change.ts';
import { findAuditAlerts } from '../domain/find-audit-alerts.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { AuditStore } from '../stores/audit-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { RuleStore } from '../stores/rule-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

type Deps = {
  audits: Pick<AuditStore, 'find' | 'saveNewest'>;
  listings: Pick<ListingStore, 'findApps'>;
  trackedApps: Pick<TrackedAppStore, 'listTrackers'>;
  rules: Pick<RuleStore, 'findEnabled'>;
  publishAlerts: PublishAlerts;
};

/**
 * A listing was audited. An audit that waits for its words, or that leaves some out, is compared with nothing: the next complete one
 * is compared with the last. The accounts that tracked the application on both days are notified of what their rules find. The audit is
 * kept afterwards, so that after a crash the event finds the same alerts again, which are published once.
 */
export function createOnListingAudited({ audits, listings, trackedApps, rules, publishAlerts }: Deps) {
  return async (message: ListingAudited): Promise<void> => {
    const { id, computed_at: at, pending_at: pendingAt, is_partial: isPartial } = message;
    if (!at) throw new Error('the event does not say when the listing was audited');
    if (pendingAt || isPartial) return;
    const kept = await audits.find(id);
    if (kept && kept.at >= at) return;
    const { global, scoring_version } = message;
    const audit = nextAudit(kept, { global, scoring_version, day: utcDay(at) });
    const { newest, day_before: before } = audit;
    if (before && before.global > newest.global) {
      const app = (await listings.findApps([id])).get(id);
      if (app)
        for await (const rows of trackedApps.listTrackers(id)) {
          const since = rows.filter((row) => utcDay(row.at) <= before.day);
          const accountIds = since.map((row) => row.account_id);
          const byAccount = await rules.findEnabled(accountIds, ['audit_drop']);
          await publishAlerts(
            since.flatMap(({ account_id }) =>
              findAuditAlerts(audit, { account_id, app }, byAccount.get(account_id) ?? []),
            ),
          );
        }
    }
    await audits.saveNewest(id, audit, at);
  };
}
