import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { type ListingContent, toStoreListing } from './listing.ts';

/** A listing as it is handed to whoever works on it. */
export function toTrackedListing(
  listing: ListingContent & Storefront & { _id: number; app_id: string; revision: number },
): TrackedListing {
  const { _id: id, store, country, lang, app_id: appId, revision, source } = listing;
  return {
    id,
    storefront: { store, country, lang },
    revision,
    read_at: listing.read_at,
    source,
    listing: toStoreListing(appId, listing),
  };
}
