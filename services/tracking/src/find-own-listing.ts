import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { storefrontDifferences } from './domain/storefront-differences.ts';
import { appNotTracked, unreadable } from './refusals.ts';
import type { Listing } from './stores/listing-store.ts';
import type { TrackedAppKey } from './stores/tracked-app-store.ts';
import type { TrackingParts } from './tracking-parts.ts';

/**
 * The listing that an account tracks and wants something for, in the storefront that it was sent with.
 * @throws APP_NOT_FOUND; INVALID_PARAMS when the storefront is not the app's own
 */
export async function findOwnListing(
  { trackedApps, listings }: TrackingParts,
  app: TrackedAppKey,
  storefront: Storefront,
): Promise<Listing> {
  const [isTracked, listing] = await Promise.all([trackedApps.isActive(app), listings.find(app.listing_id)]);
  if (!isTracked) throw appNotTracked();
  if (!listing) throw unreadable(`listing ${app.listing_id}`);
  const differences = storefrontDifferences(storefront, listing);
  if (Object.keys(differences).length > 0) throw invalidParams(differences);
  return listing;
}
