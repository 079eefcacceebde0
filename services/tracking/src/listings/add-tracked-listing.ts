import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingReading } from '../domain/listing.ts';
import { nextReadingOfNewListing } from '../domain/next-reading.ts';
import type { Listing } from '../stores/listing-store.ts';
import type { RecordListing } from './record-listing.ts';

export type AddTrackedListing = ReturnType<typeof createAddTrackedListing>;

/**
 * Saves the reading of a listing that an account is about to track. Plans the daily readings before the row that
 * links the listing to the account is written: a crash in between leaves only the plan.
 * @throws STORE_FETCH_FAILED when the database holds readings of the other kind of source
 */
export function createAddTrackedListing(deps: {
  sourceGuard: SourceGuard;
  recordListing: RecordListing;
  now: () => Date;
}) {
  const { sourceGuard, recordListing, now } = deps;
  return async (storefront: Storefront, reading: ListingReading, requestId: string): Promise<Listing> => {
    await sourceGuard.admit(reading.source);
    const at = now();
    return recordListing({
      storefront,
      reading,
      requestId,
      planNext: (id, listing) => {
        const next = nextReadingOfNewListing(id, listing, at);
        return { planned_at: next, due_at: next, failures: 0, last_tracked_at: at };
      },
    });
  };
}
