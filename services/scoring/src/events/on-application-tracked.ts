import type { ApplicationTracked } from '@shelfwise/proto/tracking/v1/events';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import type { Auditor } from '../audits/auditor.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

type Deps = { auditor: Pick<Auditor, 'onTracked'>; watchers: Pick<WatcherStore, 'save'> };

/**
 * An account tracks an app: its listing is audited immediately from the newest reading, even if that reading is older than the
 * event. If an earlier event says that the account has stopped tracking it, the listing is stored as if both had arrived in
 * order.
 */
export function createOnApplicationTracked({ auditor, watchers }: Deps) {
  return async (tracked: ApplicationTracked, event: Pick<EventRecord, 'id' | 'requestId'>): Promise<void> => {
    const { at, listing } = tracked;
    if (!at) throw new Error('the event does not say when the app was tracked');
    if (!listing) throw new Error('the event does not include the listing');
    const isWatched = await watchers.save({
      account_id: tracked.account_id,
      listing_id: listing.id,
      active: true,
      at,
    });
    await auditor.onTracked(listing, { requestId: event.requestId ?? event.id, isWatched });
  };
}
