import type { ListingChanged } from '@shelfwise/proto/tracking/v1/events';
import type { AuditingParts } from '../auditing/auditing-parts.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';

/** The store shows something else of a listing: it is audited again, unless a newer reading is known. */
export function createOnListingChanged({ auditor }: Pick<AuditingParts, 'auditor'>) {
  return async (changed: ListingChanged): Promise<void> => {
    await auditor.accept(readTrackedListing(changed));
  };
}
