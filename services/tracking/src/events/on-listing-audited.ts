import type { ListingAudited } from '@shelfwise/proto/scoring/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import { type AuditDay, addAudit } from '../domain/audit-days.ts';
import type { AsoHealth, ListingStore } from '../stores/listing-store.ts';

/** An attempt fails only when another copy has stored an audit of the same listing in between. */
const triesToSave = 10;

type Deps = { listings: Pick<ListingStore, 'setAsoHealth' | 'findAudits' | 'saveAudits'> };

/**
 * Stores a copy of a listing's newest audit, and keeps the last complete audits of two days, which are compared. Repeated and late
 * messages change nothing; audits of an unknown listing are ignored.
 * @throws Error when `computed_at` is missing, or other copies were faster at every attempt
 */
export function createOnListingAudited({ listings }: Deps) {
  async function keepAudit(id: number, audit: AuditDay): Promise<void> {
    for (let tries = 0; tries < triesToSave; tries++) {
      const kept = await listings.findAudits(id);
      if (kept === null) return;
      const next = addAudit(kept, audit);
      if (next === null || (await listings.saveAudits(id, kept, next))) return;
    }
    throw new Error(`the audits of listing ${id} were changed at every attempt`);
  }

  return async (message: ListingAudited): Promise<void> => {
    const { id, computed_at: computedAt, pending_at: pendingAt, global, scoring_version } = message;
    if (!computedAt) throw new Error('computed_at is missing in an audit');
    await listings.setAsoHealth(id, toAsoHealth(message, computedAt), pendingAt ?? computedAt);
    // What waits for its words, or leaves some out, is compared with nothing.
    if (pendingAt || message.is_partial) return;
    await keepAudit(id, { day: utcDay(computedAt), at: computedAt, global, scoring_version });
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
