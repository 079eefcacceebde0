import { checkOwnStorefront } from '@shelfwise/facts/checks/check-own-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, missingRecord } from '../tracking-errors.ts';

export type FindTrackedListing = ReturnType<typeof createFindTrackedListing>;

/**
 * Finds the listing of a tracked application and checks that it is in the storefront of the request.
 * @throws APP_NOT_FOUND; INVALID_PARAMS when the storefront is not the application's own
 */
export function createFindTrackedListing(deps: { trackedApps: TrackedAppStore; listings: ListingStore }) {
  const { trackedApps, listings } = deps;
  return async (app: TrackedAppKey, storefront: Storefront): Promise<ListingName> => {
    const [isTracked, listing] = await Promise.all([
      trackedApps.isActive(app),
      listings.findName(app.listing_id),
    ]);
    if (!isTracked) throw appNotTracked();
    if (!listing) throw missingRecord(`listing ${app.listing_id}`);
    checkOwnStorefront(storefront, listing);
    return listing;
  };
}
