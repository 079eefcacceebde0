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
  const account_id = checkAccountId(request.account_id);
  const listing_id = checkId('id', request.id);
  if (!(await trackedApps.isActive({ account_id, listing_id }))) throw appNotTracked();
  const listing = await listings.find(listing_id);
  if (!listing) throw unreadable(`listing ${listing_id}`);
  return { listing: toTrackedListing(listing) };
}
