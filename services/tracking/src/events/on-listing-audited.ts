import type { ListingAudited } from '@shelfwise/proto/scoring/v1/events';
import type { AsoHealth, ListingStore } from '../stores/listing-store.ts';

/**
 * Stores a copy of a listing's newest audit. Repeated and late messages change nothing; audits of an unknown listing are ignored.
 * @throws Error when `computed_at` is missing
 */
export function createOnListingAudited({ listings }: { listings: Pick<ListingStore, 'setAsoHealth'> }) {
  return async (message: ListingAudited): Promise<void> => {
    const { id, computed_at: computedAt, pending_at: pendingAt } = message;
    if (!computedAt) throw new Error('computed_at is missing in an audit');
    await listings.setAsoHealth(id, toAsoHealth(message, computedAt), pendingAt ?? computedAt);
  };
}

function toAsoHealth(message: ListingAudited, computedAt: Date): AsoHealth {
  return {
    global: message.global,
    coverage: message.coverage,
    targeting: message.targeting,
    appeal: message.appeal,
    tier: message.tier,
    scoring_version: message.scoring_version,
    computed_at: computedAt,
    pending_at: message.pending_at,
    is_partial: message.is_partial,
  };
}
