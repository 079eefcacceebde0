import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { utcDay } from '@shelfwise/runtime/day';
import { holdsPending } from '../domain/audit/holds-pending.ts';
import { type ListingReading, readTrackedListing } from '../domain/listing-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import type { AuditStore, StoredAudit } from '../stores/audit-store.ts';
import { isKnown, type ListingStore } from '../stores/listing-store.ts';
import type { ListingTermStore } from '../stores/listing-term-store.ts';
import type { Ranking, StoredTerm } from '../stores/stored-term.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';
import type { AuditRun } from './audit-run.ts';
import type { VisibilityKeeper } from './visibility-keeper.ts';

/** An audit that lacks nothing waits so long for more measurings: popular words are in thousands of listings. */
const gatherMs = 60_000;

export type Auditor = ReturnType<typeof createAuditor>;

/**
 * Keeps the audits up to date: a listing is due at its own moment of each UTC day, and when something that its audit
 * depends on has changed.
 */
export function createAuditor(deps: {
  audit: AuditRun;
  listings: ListingStore;
  listingTermStore: Pick<ListingTermStore, 'findListings'>;
  audits: Pick<AuditStore, 'find'>;
  visibilityDays: Pick<VisibilityDayStore, 'keepRatings'>;
  visibilityKeeper: VisibilityKeeper;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** Told when listings have come due before their time. */
  wakeWorker: () => void;
}) {
  const { audit, listings, listingTermStore, audits, visibilityDays, visibilityKeeper } = deps;
  const { sourceGuard, now, wakeWorker } = deps;

  /**
   * Keeps a reading that is newer than what is known, and the rating count of its day. A listing that is followed is due
   * then; false: it is not, and stays dormant. @throws STORE_FETCH_FAILED when the database holds readings of another
   * kind of store
   */
  async function accept(reading: ListingReading): Promise<boolean> {
    await sourceGuard.admit(reading.source);
    // First: once the reading is known, nothing would bring its rating count again after a crash.
    await visibilityDays.keepRatings(reading.id, reading.read_at, reading.content.ratings ?? null);
    const kept = await listings.keep(reading, now());
    if (kept === 'due') wakeWorker();
    return kept !== 'dormant';
  }

  /** Somebody follows a listing from a moment on: one that is dormant is due, with the newest that is known of it. */
  async function follow(listingId: number, since: Date): Promise<void> {
    const at = now();
    const sinceDay = utcDay(since < at ? since : at);
    if (await listings.follow(listingId, { since_day: sinceDay, at })) wakeWorker();
  }

  /** Null: there is none of the present formulas, or something newer is known, or the listing is not audited day by day. */
  async function findKept(reading: ListingReading): Promise<StoredAudit | null> {
    const [known, stored] = await Promise.all([listings.findKnown(reading.id), audits.find(reading.id)]);
    if (stored?.scoring_version !== scoringVersion || stored.revision < reading.revision) return null;
    return known?.due_at != null && isKnown(known, reading) ? stored : null;
  }

  async function bring(reading: ListingReading, requestId: string, isAsked: boolean): Promise<StoredAudit> {
    const isFollowed = await accept(reading);
    if (isAsked) await listings.ask(reading.id, now());
    if (!isFollowed) await follow(reading.id, reading.read_at);
    return audit(reading.id, requestId);
  }

  /**
   * The audit of a listing as tracking knows it, from what is stored; one that is not known here, is known less well,
   * or was audited by other formulas is audited on the spot. @throws INVALID_PARAMS, STORE_FETCH_FAILED when the
   * database holds readings of another kind of store
   */
  async function ensure(app: TrackedListing, requestId: string): Promise<StoredAudit> {
    const reading = readTrackedListing(app);
    return (await findKept(reading)) ?? bring(reading, requestId, true);
  }

  /** Something that the listing's audit depends on has changed since, though the next one may still be gathering more. */
  async function isDue(listingId: number): Promise<boolean> {
    const known = await listings.findKnown(listingId);
    return known?.due_at != null && known.due_at.getTime() <= now().getTime() + gatherMs;
  }

  return {
    audit,
    accept,
    follow,
    ensure,

    /** An account tracks a listing: it is audited as by `ensure`, and no longer than somebody tracks it. */
    async onTracked(app: TrackedListing, requestId: string): Promise<void> {
      const reading = readTrackedListing(app);
      if (!(await findKept(reading))) await bring(reading, requestId, false);
    },

    /** As `ensure`, and made anew also when a word was pending in it or a term has been measured since. */
    async renew(app: TrackedListing, requestId: string): Promise<StoredAudit> {
      const stored = await ensure(app, requestId);
      const isOld = holdsPending(stored.report) || (await isDue(stored.listing_id));
      return isOld ? audit(stored.listing_id, requestId) : stored;
    },

    /** Somebody began or ceased to track a keyword for the listing. */
    async onKeywordsChanged(listingId: number): Promise<void> {
      await listings.hasten(listingId, now());
      wakeWorker();
    },

    /** A term was measured: its ranks are kept, and the listings that look at it are audited again. */
    async onMeasured({ store, country, lang, keyword, ranking }: StoredTerm): Promise<void> {
      const storefront = { store, country, lang };
      if (ranking) await visibilityKeeper.onRanks(storefront, keyword, ranking);
      const ids = await listingTermStore.findListings(storefront, keyword);
      const at = now();
      const otherAt = new Date(at.getTime() + gatherMs);
      if ((await listings.hastenAll(ids, { pendingAt: at, otherAt })) > 0) wakeWorker();
    },

    /** A snapshot of a tracked keyword, of any day. */
    onRanks: (storefront: Storefront, keyword: string, ranking: Ranking): Promise<void> =>
      visibilityKeeper.onRanks(storefront, keyword, ranking),
  };
}
