import type { ListingAudited } from '@shelfwise/proto/scoring/v1/events';
import type { ListingStore } from '../stores/listing-store.ts';

/**
 * Stores tracking's own copy of a listing's newest audit. A message that comes twice or late changes nothing, and one of
 * an unknown listing is ignored.
 */
export function createOnListingAudited({ listings }: { listings: ListingStore }) {
  return async (message: ListingAudited): Promise<void> => {
    if (!message.computed_at) throw new Error('an audit does not say when it was made');
    await listings.setAsoHealth(message.id, {
      global: message.global,
      coverage: message.coverage,
      targeting: message.targeting,
      appeal: message.appeal,
      tier: message.tier,
      scoring_version: message.scoring_version,
      computed_at: message.computed_at,
    });
  };
}
