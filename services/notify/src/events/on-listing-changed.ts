import { listingKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { ListingChanged } from '@shelfwise/proto/tracking/v1/events';
import { findListingAlerts, type ListingChange, type ListingTracker } from '../domain/find-listing-alerts.ts';
import { changedFields, nextListing } from '../domain/listing-change.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { RuleStore } from '../stores/rule-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import { readListing } from './read-listing.ts';

type Deps = {
  listings: Pick<ListingStore, 'find' | 'findApps' | 'saveNewest'>;
  trackedApps: Pick<TrackedAppStore, 'listTrackers'>;
  competitors: Pick<CompetitorStore, 'listRivalsOf'>;
  rules: Pick<RuleStore, 'findEnabled'>;
  publishAlerts: PublishAlerts;
  sourceGuard: SourceGuard;
};

/**
 * A listing has changed in the store. The accounts that tracked the app, or had it as a competitor, before it was read are notified of
 * what their rules find: one that begins with this reading may be known before the change is. The reading is kept afterwards, so that after
 * a crash the event finds the same alerts again, which are published once. An older reading than the kept one is no news.
 */
export function createOnListingChanged(deps: Deps) {
  const { listings, trackedApps, competitors, sourceGuard } = deps;
  return async ({ listing, changed }: ListingChanged): Promise<void> => {
    const read = readListing(listing);
    await sourceGuard.admit(listing?.source ?? '');
    const before = await listings.find(read.id);
    if (before && before.revision >= read.revision) return;
    const change = { before, after: read, fields: changedFields(changed, before, read) };
    const own = { id: read.id, app_id: read.app_id, title: read.title };
    const shownAt = listing?.unlisted_since ?? listing?.read_at;
    const wasThere = ({ at }: { at: Date }) => shownAt != null && at <= shownAt;
    for await (const rows of trackedApps.listTrackers(read.id))
      await publish(
        deps,
        change,
        rows.filter(wasThere).map((row) => ({ account_id: row.account_id, app: own, is_own: true })),
      );
    for await (const rows of competitors.listRivalsOf(read.id)) {
      const apps = await listings.findApps(rows.map((row) => row.listing_id));
      const trackers = rows.filter(wasThere).flatMap((row) => {
        const app = apps.get(row.listing_id);
        return app ? [{ account_id: row.account_id, app, is_own: false }] : [];
      });
      await publish(deps, change, trackers);
    }
    await listings.saveNewest(nextListing(before, read));
  };
}

async function publish(
  { rules, publishAlerts }: Deps,
  change: ListingChange,
  trackers: readonly ListingTracker[],
): Promise<void> {
  const accountIds = [...new Set(trackers.map((tracker) => tracker.account_id))];
  const byAccount = await rules.findEnabled(accountIds, listingKinds);
  await publishAlerts(
    trackers.flatMap((tracker) =>
      findListingAlerts(change, tracker, byAccount.get(tracker.account_id) ?? []),
    ),
  );
}
