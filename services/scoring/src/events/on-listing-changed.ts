import type { ListingChanged } from '@shelfwise/proto/tracking/v1/events';
import type { Auditor } from '../audits/auditor.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

type Deps = { auditor: Pick<Auditor, 'saveReading' | 'follow'>; watchers: Pick<WatcherStore, 'isWatched'> };

/**
 * A listing has changed in the store. Its reading is saved unless a newer one is known. A followed listing is audited again.
 * Any other listing stays dormant, because tracking also publishes competitors. The event that an account tracks it may be in
 * processing at the same time, and says from which day it is followed.
 */
export function createOnListingChanged({ auditor, watchers }: Deps) {
  return async (changed: ListingChanged): Promise<void> => {
    const reading = readTrackedListing(changed.listing);
    const isFollowed = await auditor.saveReading(reading);
    if (!isFollowed && (await watchers.isWatched(reading.id))) await auditor.follow(reading.id);
  };
}
