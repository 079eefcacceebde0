import { isDeepStrictEqual } from 'node:util';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { type NewEvent, newEvent } from '@shelfwise/runtime/events/outbox';
import type { AsoReport } from '../domain/audit/aso-report.ts';
import type { ListingAudit } from '../domain/audit/audit-listing.ts';
import { axisScoresOf } from '../domain/audit/axes/axis-scores.ts';
import { hasPartialScores } from '../domain/audit/has-partial-scores.ts';
import { isNextRelease, releaseOf } from '../domain/release.ts';
import { type AuditStore, type StoredAudit, shownReportOf } from '../stores/audit-store.ts';
import type { Listing } from '../stores/listing.ts';
import type { ReleaseStore } from '../stores/release-store.ts';

/** An attempt fails only when another copy has stored an audit of the same listing in between. */
const triesToSave = 10;

export type SaveAuditDeps = {
  audits: Pick<AuditStore, 'find' | 'replace'>;
  releases: Pick<ReleaseStore, 'save'>;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
};

/** `computed_at` is when the audit started, before the inputs were read: the audit that started later wins. */
type Audited = ListingAudit &
  Pick<StoredAudit, 'neighbors' | 'form_ranks' | 'candidates'> & {
    listing: Listing;
    computed_at: Date;
  };

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
  { listing, report, readiness, ...audited }: Audited,
  requestId: string,
): Promise<StoredAudit | null> {
  const { version = null, updated_at: updatedAt = null } = listing.content;
  const shown = { version, updated_at: updatedAt, read_at: listing.read_at };
  const release = releaseOf(shown, previous?.release ?? null);
  const hasEnded =
    previous !== null && previous.readiness.is_shown && isNextRelease(previous.release, release);
  const next: StoredAudit = {
    listing_id: listing._id,
    report,
    readiness,
    earlier_report: readiness.is_shown ? null : previous && shownReportOf(previous),
    neighbors: audited.neighbors,
    form_ranks: audited.form_ranks,
    candidates: audited.candidates,
    computed_at: audited.computed_at,
    scoring_version: report.scoring_version,
    revision: listing.revision,
    read_at: listing.read_at,
    release,
    is_timeline_empty: !hasEnded && (previous === null || previous.is_timeline_empty),
  };
  if (hasEnded) await releases.save(previous);
  const toShow = shownReportOf(next);
  const event =
    toShow && isWorthAnEvent(previous, next, toShow)
      ? createListingAuditedEvent(next, toShow, requestId)
      : null;
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
 * Whether to publish an audit: what is shown has changed, or it is the first audit of a UTC day. Consumers can then rebuild a
 * lost copy.
 */
function isWorthAnEvent(previous: StoredAudit | null, next: StoredAudit, report: AsoReport): boolean {
  const shown = previous && shownReportOf(previous);
  if (!previous || !shown || isPending(previous) !== isPending(next)) return true;
  if (utcDay(previous.computed_at) !== utcDay(next.computed_at)) return true;
  return !isDeepStrictEqual(publishedOf(shown), publishedOf(report));
}

function createListingAuditedEvent(audit: StoredAudit, shown: AsoReport, requestId: string): NewEvent {
  const { listing_id: id, computed_at: computedAt } = audit;
  const event = {
    id,
    ...publishedOf(shown),
    computed_at: shown.computed_at,
    pending_at: isPending(audit) ? computedAt : null,
  };
  return newEvent('scoring.listing-audited.v1', String(id), event, { at: computedAt, requestId });
}

/** Whether an audit waits for its words. */
function isPending({ readiness }: StoredAudit): boolean {
  return !readiness.is_shown;
}

/** What consumers copy of a report, apart from its time. */
function publishedOf(report: AsoReport) {
  return {
    ...axisScoresOf(report),
    scoring_version: report.scoring_version,
    is_partial: hasPartialScores(report),
  };
}
