import type { ListingAudited } from '@shelfwise/proto/scoring/v1/events';
import type { ListingStore } from '../stores/listing-store.ts';

/**
 * Keeps tracking's own copy of a listing's newest audit. One that comes twice or late changes nothing, and one of a
 * listing that does not exist is passed over.
 */
export function createOnListingAudited({ listings }: { listings: ListingStore }) {
  return async ({ id, computed_at: computedAt, ...scores }: ListingAudited): Promise<void> => {
    if (!computedAt) throw new Error('an audit does not say when it was made');
    await listings.setAsoHealth(id, { ...scores, computed_at: computedAt });
  };
}
