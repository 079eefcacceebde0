import type { GetTrackedListingReply, GetTrackedListingRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { toTrackedListing } from '../domain/listing.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, missingRecord } from '../tracking-errors.ts';

type Deps = { trackedApps: TrackedAppStore; listings: ListingStore };

/** A listing of the account, with everything that the store shows. */
export async function getTrackedListing(
  { trackedApps, listings }: Deps,
  request: GetTrackedListingRequest,
): Promise<GetTrackedListingReply> {
  const accountId = checkAccountId(request.account_id);
  const listingId = checkId('id', request.id);
  if (!(await trackedApps.isActive({ account_id: accountId, listing_id: listingId }))) throw appNotTracked();
  const listing = await listings.findListed(listingId);
  if (!listing) throw missingRecord(`listing ${listingId}`);
  return { listing: toTrackedListing(listing) };
}
