import { randomUUID } from 'node:crypto';
import { utcDay } from '@shelfwise/runtime/day';
import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import type { Connection } from 'mongoose';
import type { Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { ListingReading } from '../domain/listing-reading.ts';
import type { BasketOwner } from './basket-store.ts';
import { isKnown, type KnownListing, type Listing, type ListingInAudit } from './listing.ts';
import { listingSchema } from './listing-schema.ts';

/**
 * The state of a listing after a reading: `due` because of the reading, `unchanged` because the reading is not newer,
 * or `dormant`.
 */
export type SaveOutcome = 'due' | 'unchanged' | 'dormant';

/** What a basket is drawn for, apart from an audit. */
export type ListingToDraw = BasketOwner &
  Pick<Listing, 'followed_since_day' | 'due_at' | 'claimed_by'> & {
    /** Absent when neither was read: a projection omits objects without a selected value. */
    content?: Pick<Listing['content'], 'title' | 'subtitle'>;
    candidates?: Pick<Candidates, 'terms'> | null;
  };

/** What an audit stores in its listing. */
export type AuditOutcome = Pick<
  Listing,
  'has_pending_terms' | 'last_daily_audit_day' | 'candidates' | 'described_terms' | 'terms_hash'
> &
  Partial<Pick<Listing, 'candidate_requests' | 'words_to_add' | 'is_choice_due'>> & { due_at: Date };

/** Keeps each command short, so that other commands do not wait long. */
const idsPerCommand = 400;

/** How long after an audit that a later one has overtaken the listing is audited again. */
export const overlapRetryMs = 2000;

const toDrawFields = {
  store: 1,
  country: 1,
  lang: 1,
  app_id: 1,
  followed_since_day: 1,
  due_at: 1,
  claimed_by: 1,
  'content.title': 1,
  'content.subtitle': 1,
  'candidates.terms': 1,
} as const;

export type ListingStore = ReturnType<typeof createListingStore>;

/**
 * One document of some 10 KB per listing, shared by all accounts. Queries use the index on `_id` unless another is named.
 * Readings and the event that a listing is followed may arrive in any order and at the same time: each is one write.
 */
export function createListingStore(connection: Connection) {
  const listings = connection.model('Listing', listingSchema, 'listings');

  /**
   * Replaces an older reading if the listing is still in the given state. A running audit has seen the older reading, so its
   * claim ends.
   */
  async function replaceOlder(
    reading: ListingReading,
    state: 'dormant' | 'followed',
    at: Date,
  ): Promise<boolean> {
    const { id: _id, storefront, ...newer } = reading;
    const { revision } = reading;
    const isOlder = {
      $or: [{ revision: { $lt: revision } }, { revision, read_at: { $lt: reading.read_at } }],
    };
    const [dueFilter, dueChange] = state === 'dormant' ? [null, {}] : [{ $ne: null }, { due_at: at }];
    const { matchedCount } = await listings.updateOne(
      { _id, due_at: dueFilter, ...isOlder },
      {
        $set: { ...storefront, ...newer, ...dueChange },
        $unset: endClaim,
      },
    );
    return matchedCount === 1;
  }

  /** Returns false when another copy has just created it. */
  const create = ({ id: _id, storefront, ...reading }: ListingReading): Promise<boolean> =>
    tryCreate(() =>
      listings.create({
        _id,
        ...storefront,
        ...reading,
        followed_since_day: null,
        terms_hash: null,
        candidates: null,
        described_terms: null,
        has_pending_terms: true,
        last_daily_audit_day: null,
        requested_at: null,
        failures: 0,
      }),
    );

  const findKnown = (id: number) =>
    listings.findById(id).select({ revision: 1, read_at: 1, due_at: 1 }).lean<KnownListing>();

  /** Null when the listing was changed in between. */
  async function trySave(reading: ListingReading, at: Date): Promise<SaveOutcome | null> {
    const known = await findKnown(reading.id);
    if (!known) return (await create(reading)) ? 'dormant' : null;
    const isDormant = known.due_at == null;
    if (isKnown(known, reading)) return isDormant ? 'dormant' : 'unchanged';
    if (!(await replaceOlder(reading, isDormant ? 'dormant' : 'followed', at))) return null;
    return isDormant ? 'dormant' : 'due';
  }

  async function set(
    filter: { _id: number } & Record<string, string | number | Date | null>,
    fields: object,
  ): Promise<boolean> {
    const { matchedCount } = await listings.updateOne(filter, { $set: fields });
    return matchedCount === 1;
  }

  /** Makes listings, some hundred at most, due at `at` or earlier, unless they are dormant. */
  async function makeDueBy(ids: readonly number[], at: Date): Promise<void> {
    await listings.updateMany({ _id: { $in: ids }, due_at: { $ne: null } }, dueBy(at));
  }

  return {
    model: listings,

    findKnown,

    /** Null when it is unknown here. Some 10 KB. */
    find: (id: number) => listings.findById(id).lean<Listing>(),

    /** Null when it is unknown here. Some 1 KB. */
    findToDraw: (id: number) => listings.findById(id).select(toDrawFields).lean<ListingToDraw>(),

    /** The first UTC day on which the listing was followed; null when it is unknown here or was never followed. */
    async findSinceDay(id: number): Promise<string | null> {
      const row = await listings
        .findById(id)
        .select({ followed_since_day: 1 })
        .lean<Pick<Listing, 'followed_since_day'>>();
      return row?.followed_since_day ?? null;
    },

    /**
     * Stores a reading that is the first or newer than the known one. A followed listing then becomes due at `at`; a
     * dormant one stays dormant. Takes two queries, or one when nothing is new; more only while others change the
     * same listing.
     */
    async save(reading: ListingReading, at: Date): Promise<SaveOutcome> {
      for (;;) {
        const outcome = await trySave(reading, at);
        if (outcome) return outcome;
      }
    },

    /**
     * Records that the listing is followed from a UTC day on. It replaces only a later one, because such events arrive in any
     * order. A dormant listing stays dormant.
     */
    async followSince(id: number, sinceDay: string, at: Date): Promise<void> {
      const first = { followed_since_day: sinceDay, last_daily_audit_day: utcDay(at) };
      if (await set({ _id: id, followed_since_day: null }, first)) return;
      await listings.updateOne({ _id: id }, { $min: { followed_since_day: sinceDay } });
    },

    /**
     * A dormant listing becomes due at `at`, and its terms are requested again. Returns false and changes nothing when
     * it is not dormant, or was never followed (`followSince`).
     */
    async follow(id: number, at: Date): Promise<boolean> {
      const { matchedCount } = await listings.updateOne(
        { _id: id, due_at: null, followed_since_day: { $ne: null } },
        { $set: { due_at: at, terms_hash: null } },
      );
      return matchedCount === 1;
    },

    /** Records a request for the listing. Its terms are requested again, because earlier requests may have expired. */
    async recordRequest(id: number, at: Date): Promise<void> {
      await listings.updateOne({ _id: id }, { $set: { requested_at: at, terms_hash: null } });
    },

    /**
     * Starts an audit under a claim, which ends after `maxAuditMs`. It starts at `now`, or later if the clock of this copy is
     * behind: of two audits, the one that started later has seen more.
     * @param claim of the worker; null: the audit is for a user, and takes the listing over from another one
     * @returns null when the claim of the worker is lost, or no listing with this id was ever followed
     */
    async startAudit(
      id: number,
      { now, maxAuditMs, claim }: { now: Date; maxAuditMs: number; claim: string | null },
    ): Promise<ListingInAudit | null> {
      const followed = { _id: id, followed_since_day: { $ne: null } };
      const startable = claim === null ? followed : { ...followed, claimed_by: claim };
      const claimedBy = claim ?? randomUUID();
      const dueAt = new Date(now.getTime() + maxAuditMs);
      for (let at = now; ; ) {
        const listing = await listings
          .findOneAndUpdate(
            { ...startable, last_audit_started_at: { $not: { $gte: at } } },
            { $set: { claimed_by: claimedBy, last_audit_started_at: at, due_at: dueAt } },
            { returnDocument: 'after' },
          )
          .lean<ListingInAudit>();
        if (listing) return listing;
        const stored = await listings
          .findOne(startable)
          .select({ last_audit_started_at: 1 })
          .lean<Pick<Listing, 'last_audit_started_at'>>();
        if (!stored) return null;
        at = nextChangeTime(now, stored.last_audit_started_at);
      }
    },

    /**
     * Records that an audit is about to store other terms, so that one that starts from now on stores its own. Returns false and
     * changes nothing when the audit is overtaken.
     */
    forgetTerms: (audited: ListingInAudit) => set(notOvertaken(audited), { terms_hash: null }),

    /**
     * Finishes an audit. If its claim has ended, something has made the listing due meanwhile, which this audit may not have seen:
     * the listing stays due. The outcome of an audit that was overtaken is dropped. It may have replaced a basket that the later
     * one saved, so the listing is audited again. Returns whether it was overtaken.
     * @param at when it finishes
     */
    async finishAudit(audited: ListingInAudit, outcome: AuditOutcome, at: Date): Promise<boolean> {
      const { _id, claimed_by } = audited;
      const onTime = await listings.updateOne(
        { _id, claimed_by },
        { $set: { ...outcome, failures: 0 }, $unset: endClaim },
      );
      if (onTime.matchedCount === 1) return false;
      const { due_at: _due, is_choice_due: _choice, ...late } = outcome;
      if (await set(notOvertaken(audited), { ...late, failures: 0 })) return false;
      await makeDueBy([_id], new Date(at.getTime() + overlapRetryMs));
      return true;
    },

    makeDueBy,

    /** The next audit chooses the words to add again, now unless the listing is dormant. */
    async chooseAgain(id: number, at: Date): Promise<void> {
      const filter = { _id: id, due_at: { $ne: null } };
      await listings.updateOne(filter, { ...dueBy(at), $set: { is_choice_due: true } });
    },

    /**
     * Makes listings with and without pending terms due at the given times, or earlier where that is already planned;
     * dormant ones stay dormant. Returns how many it has changed.
     */
    async makeAllDueBy(
      ids: readonly number[],
      { withPendingTerms, withoutPendingTerms }: { withPendingTerms: Date; withoutPendingTerms: Date },
    ): Promise<number> {
      let changed = 0;
      for (let start = 0; start < ids.length; start += idsPerCommand) {
        const batch = ids.slice(start, start + idsPerCommand);
        const updates = [[true, withPendingTerms] as const, [false, withoutPendingTerms] as const].map(
          ([hasPendingTerms, dueAt]) => {
            // A running audit is affected, too: it may not have seen the cause.
            const affected = [
              { due_at: { $gt: dueAt } },
              { claimed_by: { $ne: null }, due_at: { $ne: null } },
            ];
            const filter = { _id: { $in: batch }, has_pending_terms: hasPendingTerms, $or: affected };
            return { updateMany: { filter, update: dueBy(dueAt) } };
          },
        );
        changed += (await bulkWriteInChunks(listings, updates)).modifiedCount;
      }
      return changed;
    },
  };
}

/** Ends the claim, too: a running audit may not have seen the cause. */
function dueBy(dueAt: Date) {
  return { $min: { due_at: dueAt }, $unset: endClaim };
}

/** Matches while no later audit has started and no newer reading is stored. */
function notOvertaken({ _id, last_audit_started_at, revision, read_at }: ListingInAudit) {
  return { _id, last_audit_started_at, revision, read_at };
}
