import type { GetTrackedListingReply, GetTrackedListingRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { toTrackedListing } from '../domain/tracked-listing.ts';
import { appNotTracked, unreadable } from '../refusals.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** A listing that the account tracks, with all that the store shows of it. */
export async function getTrackedListing(
  { trackedApps, listings }: TrackingParts,
  request: GetTrackedListingRequest,
): Promise<GetTrackedListingReply> {
  const accountId = checkAccountId(request.account_id);
  const listingId = checkId('id', request.id);
  if (!(await trackedApps.isActive({ account_id: accountId, listing_id: listingId }))) throw appNotTracked();
  const listing = await listings.find(listingId);
  if (!listing) throw unreadable(`listing ${listingId}`);
  return { listing: toTrackedListing(listing) };
}
