import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { type NewEvent, newEvent } from '@shelfwise/runtime/events/outbox';
import type { AsoReport } from '../domain/audit/aso-report.ts';
import { axisScoresOf } from '../domain/audit/axis-scores.ts';
import { isMeasured } from '../domain/audit/is-measured.ts';
import { isNextRelease, releaseOf } from '../domain/release.ts';
import type { AuditStore, StoredAudit } from '../stores/audit-store.ts';
import type { Listing } from '../stores/listing-store.ts';
import type { ReleaseStore } from '../stores/release-store.ts';

/** An attempt fails only when another copy has stored an audit of the same listing in between. */
const triesToSave = 10;

export type SaveAuditDeps = {
  audits: Pick<AuditStore, 'find' | 'replace'>;
  releases: Pick<ReleaseStore, 'save'>;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
};

/** `computed_at` is from before the inputs were read: of two audits of one reading, the one that started later wins. */
type Audited = { listing: Listing; report: AsoReport; computed_at: Date };

/**
 * Saves the newest audit of a listing with its event, and the release that has ended, if any. Returns the newest
 * audit: this one, or one of a newer reading or a later time.
 * @throws SERVICE_UNAVAILABLE when other copies were faster at every attempt
 */
export async function saveAudit(
  deps: SaveAuditDeps,
  audited: Audited,
  requestId: string,
): Promise<StoredAudit> {
  for (let tries = 0; tries < triesToSave; tries++) {
    const previous = await deps.audits.find(audited.listing._id);
    if (previous && isNewer(previous, audited)) return previous;
    const saved = await replace(deps, previous, audited, requestId);
    if (saved) return saved;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'Other requests are auditing this app. Try again.');
}

/**
 * Saves the ended release before its last audit is replaced; after a crash in between it is saved again. Null when
 * another audit was stored in between.
 */
async function replace(
  { audits, releases, wake }: SaveAuditDeps,
  previous: StoredAudit | null,
  { listing, report, ...audited }: Audited,
  requestId: string,
): Promise<StoredAudit | null> {
  const { version = null, updated_at: updatedAt = null } = listing.content;
  const shown = { version, updated_at: updatedAt, read_at: listing.read_at };
  const next: StoredAudit = {
    listing_id: listing._id,
    report,
    computed_at: audited.computed_at,
    scoring_version: report.scoring_version,
    revision: listing.revision,
    release: releaseOf(shown, previous?.release ?? null),
  };
  if (previous && isNextRelease(previous.release, next.release)) await releases.save(previous);
  const event = isWorthAnEvent(listing, previous, next) ? createListingAuditedEvent(next, requestId) : null;
  if (!(await audits.replace(previous, next, event))) return null;
  if (event) wake();
  return next;
}

function isNewer(previous: StoredAudit, audited: Audited): boolean {
  const { revision } = audited.listing;
  if (previous.revision !== revision) return previous.revision > revision;
  return previous.computed_at > audited.computed_at;
}

/**
 * Whether to publish an audit: when the scores or their version have changed since the previous audit, and with the
 * first audit of each UTC day, so that consumers can rebuild a lost copy. Nothing is published before the first
 * measurement, when scores are 0 only because nothing was read.
 */
function isWorthAnEvent(
  { store, country, lang, content }: Listing,
  previous: StoredAudit | null,
  next: StoredAudit,
): boolean {
  const { genre } = content;
  const listing = { storefront: { store, country, lang }, developer_name: content.developer_name, genre };
  if (!isMeasured(listing, next.report)) return false;
  if (!previous || !isMeasured(listing, previous.report)) return true;
  if (previous.scoring_version !== next.scoring_version) return true;
  if (utcDay(previous.computed_at) !== utcDay(next.computed_at)) return true;
  const before = axisScoresOf(previous.report);
  const after = axisScoresOf(next.report);
  return (Object.keys(after) as (keyof typeof after)[]).some((key) => after[key] !== before[key]);
}

function createListingAuditedEvent(audit: StoredAudit, requestId: string): NewEvent {
  const { listing_id: id, report } = audit;
  return newEvent(
    'scoring.listing-audited.v1',
    String(id),
    { id, ...axisScoresOf(report), scoring_version: audit.scoring_version, computed_at: audit.computed_at },
    { at: audit.computed_at, requestId },
  );
}
