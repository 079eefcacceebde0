import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { createLocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { hasPendingWords } from '../domain/audit/has-pending-words.ts';
import { type ListingReading, readTrackedListing } from '../domain/listing-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import { isKnown } from '../stores/listing.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { ListingTermStore } from '../stores/listing-term-store.ts';
import type { Term } from '../stores/term.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';
import { type KeywordChange, type RedrawBasketDeps, redrawBasket } from './redraw-basket.ts';
import { type RunAuditDeps, type RunningAudit, runAudit } from './run-audit.ts';
import { savePageRanks } from './save-ranks.ts';

/**
 * A measured term makes the listings that depend on it due. Those without pending terms wait for this time, so that one audit
 * covers several measurements. A popular word is in thousands of listings.
 */
const batchMs = 60_000;

const termsPerBatch = 50;

/** Events of many listings may come together. */
const redrawnAtOnce = 4;

export type Auditor = ReturnType<typeof createAuditor>;

/**
 * Keeps the audits up to date. A listing is due at its own time of each UTC day, and when something that its audit
 * depends on has changed.
 */
export function createAuditor(
  deps: RunAuditDeps &
    RedrawBasketDeps & {
      listings: Pick<
        ListingStore,
        'save' | 'followSince' | 'follow' | 'findKnown' | 'recordRequest' | 'makeDueBy' | 'makeAllDueBy'
      >;
      listingTermStore: Pick<ListingTermStore, 'findListings'>;
      baskets: Pick<BasketStore, 'findOwners'>;
      visibilityDays: Pick<VisibilityDayStore, 'saveRatings'>;
      sourceGuard: SourceGuard;
      logger: Logger;
    },
) {
  const { listings, listingTermStore, audits, visibilityDays, sourceGuard, logger, now, wakeWorker } = deps;
  const flights = createSingleflight<RunningAudit>();
  const redrawLocks = createLocksByKey();
  /** What follows from audits, which users do not wait for. */
  const followUps = new Set<Promise<void>>();

  /** @throws APP_NOT_FOUND for a listing that is not known here or was never followed */
  async function startAudit(listingId: number, requestId: string): Promise<RunningAudit> {
    const running = await runAudit(deps, listingId, { requestId, claim: null });
    if (!running) throw new AppError('APP_NOT_FOUND', 'No listing with this id is known here.');
    const followUp: Promise<void> = running.finished
      .catch((err) =>
        logger.error({ err, listing_id: listingId, request_id: requestId }, 'audit not finished'),
      )
      .finally(() => followUps.delete(followUp));
    followUps.add(followUp);
    return running;
  }

  /** As `startAudit`, to its end. */
  const audit = (listingId: number, requestId: string) => finish(startAudit(listingId, requestId));

  /**
   * One of the callers with the same reading audits, and the others wait for it: each audit would end the claim of the one before.
   * None leaves: an audit that has started is stored, and a caller that tries again finds it.
   */
  function shareAudit(
    { id, revision, read_at: readAt }: ListingReading,
    work: () => Promise<RunningAudit>,
  ): Promise<RunningAudit> {
    const neverLeaves = new AbortController().signal;
    return flights.join(`${id} ${revision} ${readAt.getTime()}`, neverLeaves, work);
  }

  /**
   * Saves a reading that is newer than the known one, and the rating count of its day. A followed listing is then
   * due.
   * @returns false when the listing is not followed and stays dormant
   * @throws STORE_FETCH_FAILED when the database holds readings of another kind of store
   */
  async function saveReading(reading: ListingReading): Promise<boolean> {
    await sourceGuard.admit(reading.source);
    // The rating count first: after a crash in between, `followAndAudit` would find the reading known and not save it again.
    await visibilityDays.saveRatings(reading.id, reading.read_at, reading.content.ratings ?? null);
    const outcome = await listings.save(reading, now());
    if (outcome === 'due') wakeWorker();
    return outcome !== 'dormant';
  }

  /** Records that a listing is followed from the day of a reading on, or from an earlier day if that is stored. */
  async function followSince({ id, read_at: readAt }: ListingReading): Promise<void> {
    const at = now();
    await listings.followSince(id, utcDay(readAt < at ? readAt : at), at);
  }

  /** A dormant listing that was followed before becomes due with its newest known reading. */
  async function follow(listingId: number): Promise<void> {
    if (await listings.follow(listingId, now())) wakeWorker();
  }

  /**
   * Null when there is no audit, when it is of older formulas or an older reading, or when the listing is dormant.
   */
  async function findCurrentAudit(reading: ListingReading): Promise<StoredAudit | null> {
    const [known, stored] = await Promise.all([listings.findKnown(reading.id), audits.find(reading.id)]);
    if (stored?.scoring_version !== scoringVersion || stored.revision < reading.revision) return null;
    return known?.due_at != null && isKnown(known, reading) ? stored : null;
  }

  /**
   * An audit of less than a day ago, if no reading since is known: its listing need not be looked up. One that became dormant
   * since is followed again by an event, or when the audit is older.
   */
  async function findFreshAudit(reading: ListingReading): Promise<StoredAudit | null> {
    const stored = await audits.find(reading.id);
    if (stored?.scoring_version !== scoringVersion || !isKnown(stored, reading)) return null;
    return now().getTime() - stored.computed_at.getTime() < dayMs ? stored : null;
  }

  /** The current audit of a listing as tracking knows it, or one that starts now. */
  function findOrStartAudit(reading: ListingReading, requestId: string): Promise<RunningAudit> {
    return shareAudit(reading, async () => {
      const current = await findCurrentAudit(reading);
      if (current) return { saved: current, finished: Promise.resolve() };
      const isFollowed = await saveReading(reading);
      // An untracked listing is kept up to date for a while.
      await listings.recordRequest(reading.id, now());
      if (!isFollowed) {
        await followSince(reading);
        await follow(reading.id);
      }
      return startAudit(reading.id, requestId);
    });
  }

  const notifyTogether = createBatches({ run: onTermsMeasured, maxItems: termsPerBatch });

  /** Saves the ranks of measured terms and makes the listings that depend on them due. */
  async function onTermsMeasured(terms: readonly Term[]): Promise<undefined[]> {
    const keys = terms.map(({ store, country, lang, keyword, ranking }) => ({
      storefront: { store, country, lang },
      keyword,
      ranking,
    }));
    await savePageRanks(
      deps,
      keys.flatMap(({ ranking, ...key }) => (ranking ? [{ ...key, ranking }] : [])),
    );
    const ids = await listingTermStore.findListings(keys);
    const at = now();
    const dueAt = { withPendingTerms: at, withoutPendingTerms: new Date(at.getTime() + batchMs) };
    if ((await listings.makeAllDueBy(ids, dueAt)) > 0) wakeWorker();
    return terms.map(() => undefined);
  }

  /** Whether an audit is due within `batchMs`: something that it depends on has changed, or its daily time is near. */
  async function isDue(listingId: number): Promise<boolean> {
    const known = await listings.findKnown(listingId);
    return known?.due_at != null && known.due_at.getTime() <= now().getTime() + batchMs;
  }

  return {
    audit,
    /**
     * As `audit`, for the worker that has claimed the listing: the claim remains until the audit has finished. Null when
     * the claim is lost; the listing is then not audited.
     */
    async auditClaimed(
      listingId: number,
      { requestId, claim }: { requestId: string; claim: string },
    ): Promise<StoredAudit | null> {
      const running = await runAudit(deps, listingId, { requestId, claim });
      return running && finish(running);
    },
    saveReading,
    follow,

    /**
     * The stored audit of a listing as tracking knows it. It is audited on the spot if the listing is unknown or dormant here,
     * this reading is newer, or the audit is of older formulas. Resolves once the audit is stored, before what follows from it.
     * @throws STORE_FETCH_FAILED when the database holds readings of another kind of store
     */
    async followAndAudit(reading: ListingReading, requestId: string): Promise<StoredAudit> {
      return (await findFreshAudit(reading)) ?? (await findOrStartAudit(reading, requestId)).saved;
    },

    /**
     * An account has tracked a listing. Audits it as `followAndAudit` does, but records no request. With `isWatched` false the
     * account tracks it no more: only the reading and the first day are stored.
     */
    async onTracked(
      app: TrackedListing,
      { requestId, isWatched }: { requestId: string; isWatched: boolean },
    ): Promise<void> {
      const reading = readTrackedListing(app);
      await saveReading(reading);
      await followSince(reading);
      if (!isWatched || (await findCurrentAudit(reading))) return;
      await follow(reading.id);
      await finish(shareAudit(reading, () => startAudit(reading.id, requestId)));
    },

    /** As `followAndAudit`, to its end, but audits again when a word was pending or a term was measured since. */
    async refresh(reading: ListingReading, requestId: string): Promise<StoredAudit> {
      const stored = await finish(findOrStartAudit(reading, requestId));
      const isOutdated = hasPendingWords(stored.report) || (await isDue(stored.listing_id));
      return isOutdated ? audit(stored.listing_id, requestId) : stored;
    },

    /** Accounts track other keywords for listings, as is stored already. Those that need an audit are due. */
    async onKeywordsChanged(changes: readonly KeywordChange[]): Promise<void> {
      const byListing = [...groupBy(changes, ({ listing_id: id }) => String(id))];
      const unfinished = await mapLimited(byListing, redrawnAtOnce, async ([id, ofListing]) => {
        const isDone = await redrawLocks.withLock(id, () => redrawBasket(deps, Number(id), ofListing));
        return isDone ? [] : [Number(id)];
      });
      const toAudit = unfinished.flat();
      if (toAudit.length === 0) return;
      await listings.makeDueBy(toAudit, now());
      wakeWorker();
    },

    /** Resolves when everything that follows from audits is stored or has failed. Called when there is no call any more. */
    async settled(): Promise<void> {
      await Promise.all(followUps);
    },

    /** A term was measured. Calls that are made at the same time are handled together. */
    onMeasured: (term: Term): Promise<void> => notifyTogether(term),
  };
}

/** The audit, once what follows from it is stored, too. */
async function finish(running: RunningAudit | Promise<RunningAudit>): Promise<StoredAudit> {
  const { saved, finished } = await running;
  await finished;
  return saved;
}
