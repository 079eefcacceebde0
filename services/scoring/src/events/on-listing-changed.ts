import type { ListingChanged } from '@shelfwise/proto/tracking/v1/events';
import type { AuditingParts } from '../auditing/auditing-parts.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';

/** The store shows something else of a listing: it is audited again, unless a newer reading is known or nobody follows it. */
export function createOnListingChanged({
  auditor,
  isFollowed,
}: Pick<AuditingParts, 'auditor' | 'isFollowed'>) {
  return async (changed: ListingChanged): Promise<void> => {
    const reading = readTrackedListing(changed);
    if (await isFollowed(reading.id)) await auditor.accept(reading);
  };
}
