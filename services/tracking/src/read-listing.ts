import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { type ListingReading, toListingReading } from './domain/listing.ts';
import type { TrackingParts } from './tracking-parts.ts';

/** The store is read for this long, and given up early enough to save and to answer. */
const readMs = 33_000;
const saveMs = 1000;

/** Reads one listing for a user who waits. @throws APP_NOT_FOUND, STORE_FETCH_FAILED */
export async function readListing(
  { storeFetch }: TrackingParts,
  storefront: Storefront,
  appId: string,
  call: CallContext,
): Promise<ListingReading> {
  const asked = { storefront, app_id: appId, with_subtitle: true, for_daily_run: false };
  return toListingReading(await storeFetch.getListing(asked, withinDeadline(call, readMs, saveMs)));
}
