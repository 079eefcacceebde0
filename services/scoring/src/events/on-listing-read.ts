import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { ListingRead } from '@shelfwise/proto/tracking/v1/events';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';

type Deps = { visibilityDays: Pick<VisibilityDayStore, 'saveRatings'>; sourceGuard: SourceGuard };

/**
 * A listing was read and has not changed: the rating count of its day is saved, whether the listing is followed or
 * not.
 */
export function createOnListingRead({ visibilityDays, sourceGuard }: Deps) {
  return async (read: ListingRead): Promise<void> => {
    if (read.read_at === null || read.ratings == null) return;
    await sourceGuard.admit(read.source);
    await visibilityDays.saveRatings(read.id, read.read_at, read.ratings);
  };
}
