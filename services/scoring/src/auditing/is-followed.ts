import type { ListingStore } from '../stores/listing-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

export type IsFollowed = ReturnType<typeof createIsFollowed>;

/**
 * Whether a listing is scoring's business: it is known here, or an account tracks it. Tracking tells of listings too that
 * are only somebody's competitors; whoever begins to track one of those brings it along with his event. Two queries by
 * `_id` and `listing_id, active` at most.
 */
export function createIsFollowed(deps: {
  listings: Pick<ListingStore, 'findKnown'>;
  watchers: Pick<WatcherStore, 'isWatched'>;
}) {
  const { listings, watchers } = deps;
  return async (listingId: number): Promise<boolean> =>
    (await listings.findKnown(listingId)) !== null || (await watchers.isWatched(listingId));
}
