import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { type NewEvent, newEvent } from '@shelfwise/runtime/outbox';
import { axisScoresOf } from '../domain/audit/axis-scores.ts';
import { isMeasured } from '../domain/audit/is-measured.ts';
import { isNextRelease, releaseOf } from '../domain/release.ts';
import type { AuditStore, StoredAudit } from '../stores/audit-store.ts';
import type { Listing } from '../stores/listing-store.ts';
import type { ReleaseStore } from '../stores/release-store.ts';

/** How often others may be faster; each of them has then kept an audit of the same listing in that moment. */
const triesToKeep = 10;

export type AuditKeeper = ReturnType<typeof createAuditKeeper>;

/** Keeps the newest audit of each listing, tells of it, and keeps the timeline of the releases before. */
export function createAuditKeeper(deps: {
  audits: AuditStore;
  releases: ReleaseStore;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { audits, releases, wake } = deps;

  /**
   * The release that ends is kept before the audit that was its last one is replaced: a crash in between repeats it.
   * Null: somebody else came in between.
   */
  async function put(
    previous: StoredAudit | null,
    { listing, report, computed_at: computedAt }: Audited,
    requestId: string,
  ): Promise<StoredAudit | null> {
    const { version = null, updated_at: updatedAt = null } = listing.content;
    const shown = { version, updated_at: updatedAt, read_at: listing.read_at };
    const next: StoredAudit = {
      listing_id: listing._id,
      report,
      computed_at: computedAt,
      scoring_version: report.scoring_version,
      revision: listing.revision,
      release: releaseOf(shown, previous?.release ?? null),
    };
    if (previous && isNextRelease(previous.release, next.release)) await releases.keep(previous);
    const event = isNews(listing, previous, next) ? listingAudited(next, requestId) : null;
    if (!(await audits.replace(previous, next, event))) return null;
    if (event) wake();
    return next;
  }

  return {
    /** The newest audit once this one is kept: it, or one of a newer reading or a later moment. @throws SERVICE_UNAVAILABLE */
    async keep(audited: Audited, requestId: string): Promise<StoredAudit> {
      for (let tries = 0; tries < triesToKeep; tries++) {
        const previous = await audits.find(audited.listing._id);
        if (previous && isNewer(previous, audited)) return previous;
        const kept = await put(previous, audited, requestId);
        if (kept) return kept;
      }
      throw new AppError('SERVICE_UNAVAILABLE', 'The app is being audited by others. Try again.');
    },
  };
}

/** `computed_at`: from before its inputs were read. */
type Audited = { listing: Listing; report: AsoReport; computed_at: Date };

function isNewer(previous: StoredAudit, { listing, computed_at: computedAt }: Audited): boolean {
  if (previous.revision !== listing.revision) return previous.revision > listing.revision;
  return previous.computed_at > computedAt;
}

/**
 * Other scores, or the first audit of a day: so that a reader who has lost his copy gets it back. Nothing is told while
 * nothing is measured: the reader keeps what he knows, be it nothing.
 */
function isNews(
  { store, country, lang, content }: Listing,
  previous: StoredAudit | null,
  next: StoredAudit,
): boolean {
  const { genre } = content;
  const shown = { storefront: { store, country, lang }, developer_name: content.developer_name, genre };
  if (!isMeasured(shown, next.report)) return false;
  if (!previous || !isMeasured(shown, previous.report)) return true;
  if (previous.scoring_version !== next.scoring_version) return true;
  if (utcDay(previous.computed_at) !== utcDay(next.computed_at)) return true;
  const before = axisScoresOf(previous.report);
  const now = axisScoresOf(next.report);
  return (Object.keys(now) as (keyof typeof now)[]).some((key) => now[key] !== before[key]);
}

function listingAudited(audit: StoredAudit, requestId: string): NewEvent {
  const { listing_id: id, report } = audit;
  return newEvent(
    'scoring.listing-audited.v1',
    String(id),
    { id, ...axisScoresOf(report), scoring_version: audit.scoring_version, computed_at: audit.computed_at },
    { at: audit.computed_at, requestId },
  );
}
