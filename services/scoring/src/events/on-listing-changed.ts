import type { ListingChanged } from '@shelfwise/proto/tracking/v1/events';
import type { AuditingParts } from '../auditing/auditing-parts.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';

/**
 * The store shows something else of a listing. Unless a newer reading is known it is kept: one that is followed is audited
 * again; one that nobody tracks (tracking tells of competitors, too) lies dormant, for the event may have overtaken the one
 * that says who does.
 */
export function createOnListingChanged({ auditor, watchers }: Pick<AuditingParts, 'auditor' | 'watchers'>) {
  return async (changed: ListingChanged): Promise<void> => {
    const reading = readTrackedListing(changed);
    const isFollowed = await auditor.accept(reading);
    if (!isFollowed && (await watchers.isWatched(reading.id)))
      await auditor.follow(reading.id, reading.read_at);
  };
}
