import type { ListingAudited } from '@shelfwise/proto/scoring/v1/events';
import type { ListingStore } from '../stores/listing-store.ts';

/**
 * Stores a copy of a listing's newest audit, or removes it when no audit may be shown. Repeated and late messages
 * change nothing; audits of an unknown listing are ignored.
 * @throws Error when `computed_at` is missing
 */
export function createOnListingAudited({ listings }: { listings: ListingStore }) {
  return async (message: ListingAudited): Promise<void> => {
    if (!message.computed_at) throw new Error('computed_at is missing in an audit');
    if (message.is_pending) return listings.removeAsoHealth(message.id, message.computed_at);
    await listings.setAsoHealth(message.id, {
      global: message.global,
      coverage: message.coverage,
      targeting: message.targeting,
      appeal: message.appeal,
      tier: message.tier,
      scoring_version: message.scoring_version,
      computed_at: message.computed_at,
      pending_at: message.pending_at,
      is_partial: message.is_partial,
    });
  };
}
