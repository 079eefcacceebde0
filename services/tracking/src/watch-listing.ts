import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingReading } from './domain/listing.ts';
import { planWatched } from './domain/listing-plan.ts';
import type { Listing } from './stores/listing-store.ts';
import type { TrackingParts } from './tracking-parts.ts';

/**
 * Keeps a reading of a listing that an account is about to watch. The plan of its daily readings is written before the
 * row that says who watches it: the plan is what a crash between the two may leave behind.
 * @throws STORE_FETCH_FAILED when the database holds readings of the other kind
 */
export async function watchListing(
  { sourceGuard, listingRecorder, now }: TrackingParts,
  storefront: Storefront,
  reading: ListingReading,
  requestId: string,
): Promise<Listing> {
  await sourceGuard.admit(reading.content.source);
  const at = now();
  return listingRecorder.record({
    storefront,
    reading,
    requestId,
    planNext: (id, known) => {
      const next = planWatched(id, known, at);
      return { planned_at: next, due_at: next, failures: 0, watched_at: at };
    },
  });
}
