import type { Store } from '@shelfwise/facts/stores/store';
import type { Listing as ListingContent } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { type Connection, Schema } from 'mongoose';
import type { ListingReading } from '../domain/listing-reading.ts';

/**
 * Scoring's own copy of a listing: of one that is or was tracked or asked for, and of one that is only somebody's
 * competitor. It is dormant while `due_at` is absent: its newest reading is kept, and it is not audited.
 */
export type Listing = {
  /** internal app id */
  _id: number;
  store: Store;
  country: string;
  lang: string;
  app_id: string;
  revision: number;
  read_at: Date;
  source: string;
  content: ListingContent;
  /** The UTC day since which it is followed, whether or not it has been let go of in between; null: it never was. */
  since_day: string | null;
  /** Of the terms that were last kept and wanted for it; null: they are to be kept and wanted anew. */
  terms_key: string | null;
  /** Some of them were not measured when it was last audited. */
  is_pending: boolean;
  /**
   * The last UTC day on which it was audited at its time of the day or later; at first the day on which it came to be
   * followed here, whose readings are not whole. Null: it never was.
   */
  passed_day: string | null;
  /** When somebody last asked for it whom no event had announced. */
  asked_at: Date | null;
  /** The audit that is under way, while nothing has made the listing due since its beginning. */
  audit_id: string | null;
  /** The audit that was begun last, ended or not; null once the listing is another one than it knows. */
  begun_by?: string | null;
} & ListingPlan;

export type ListingPlan = {
  /** When it is audited next, and until when an audit that has begun has it for itself; absent: it is dormant. */
  due_at?: Date | null;
  /** How often it could not be audited since the last time that it was. */
  failures: number;
};

/** One that is, or was, followed. */
export type FollowedListing = Listing & { since_day: string };

/** How well a listing is known. */
export type KnownListing = Pick<Listing, '_id' | 'revision' | 'read_at' | 'due_at'>;

/** Where a listing stands after a reading: `due` by it, `as it was` as the reading is not newer, or `dormant`. */
export type Kept = 'due' | 'as it was' | 'dormant';

const schema = new Schema<Listing>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    app_id: { type: String, required: true },
    revision: { type: Number, required: true },
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    since_day: { type: String, default: null },
    terms_key: { type: String, default: null },
    is_pending: { type: Boolean, required: true },
    passed_day: { type: String, default: null },
    asked_at: { type: Date, default: null },
    audit_id: { type: String, default: null },
    begun_by: String,
    due_at: Date,
    failures: { type: Number, required: true },
  },
  { versionKey: false, minimize: false },
).index({ due_at: 1 });

/** What an audit says of its listing. */
type Ended = Pick<Listing, 'is_pending' | 'passed_day' | 'terms_key'> & { due_at: Date };

/** So that other commands need not wait long for their turn. */
const idsPerCommand = 400;

/**
 * What an audit leaves since whose beginning another one has begun: the next one looks at everything anew. It may have kept
 * its terms over those of one that is still under way, which has come too late by that: hence the last two.
 */
const outdated = { failures: 0, is_pending: true, terms_key: null, audit_id: null, begun_by: null } as const;

export type ListingStore = ReturnType<typeof createListingStore>;

/**
 * One document of some 10 KB per listing, shared by all accounts. Found by `_id` where no other index is named. Readings,
 * and the word that it is followed, may come in any order and at the same moment: each is one write of the document.
 */
export function createListingStore(connection: Connection) {
  const listings = connection.model('Listing', schema, 'listings');

  /** Takes the place of an older reading while the listing is in that state: an audit under way has seen the older one. */
  async function supersede(
    reading: ListingReading,
    state: 'dormant' | 'followed',
    at: Date,
  ): Promise<boolean> {
    const { id: _id, storefront, ...newer } = reading;
    const { revision } = reading;
    const isOlder = {
      $or: [{ revision: { $lt: revision } }, { revision, read_at: { $lt: reading.read_at } }],
    };
    const [dueAt, due] = state === 'dormant' ? [null, {}] : [{ $ne: null }, { due_at: at }];
    const { matchedCount } = await listings.updateOne(
      { _id, due_at: dueAt, ...isOlder },
      { $set: { ...storefront, ...newer, ...due, audit_id: null, begun_by: null } },
    );
    return matchedCount === 1;
  }

  /** False when somebody else has just made it. */
  async function create({ id: _id, storefront, ...reading }: ListingReading): Promise<boolean> {
    try {
      await listings.create({
        _id,
        ...storefront,
        ...reading,
        since_day: null,
        terms_key: null,
        is_pending: true,
        passed_day: null,
        asked_at: null,
        audit_id: null,
        failures: 0,
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  const findKnown = (id: number) =>
    listings.findById(id).select({ revision: 1, read_at: 1, due_at: 1 }).lean<KnownListing>();

  /** Null: somebody else has changed the listing in between. */
  async function tryToKeep(reading: ListingReading, at: Date): Promise<Kept | null> {
    const known = await findKnown(reading.id);
    if (!known) return (await create(reading)) ? 'dormant' : null;
    const isDormant = known.due_at == null;
    if (isKnown(known, reading)) return isDormant ? 'dormant' : 'as it was';
    if (!(await supersede(reading, isDormant ? 'dormant' : 'followed', at))) return null;
    return isDormant ? 'dormant' : 'due';
  }

  async function set(
    filter: { _id: number } & Record<string, string | number | null>,
    fields: object,
  ): Promise<boolean> {
    const { matchedCount } = await listings.updateOne(filter, { $set: fields });
    return matchedCount === 1;
  }

  return {
    model: listings,

    findKnown,

    /** The UTC day since which it is followed; null: it is not known here, or never was. */
    async findSinceDay(id: number): Promise<string | null> {
      const found = await listings.findById(id).select({ since_day: 1 }).lean<Pick<Listing, 'since_day'>>();
      return found?.since_day ?? null;
    },

    /**
     * Keeps a reading that is newer than the one known, or the first; a listing that is followed is due at `at` then, a
     * dormant one stays so. Two queries, one where nothing is new; more only while others change the same listing.
     */
    async keep(reading: ListingReading, at: Date): Promise<Kept> {
      for (;;) {
        const kept = await tryToKeep(reading, at);
        if (kept) return kept;
      }
    },

    /**
     * A dormant listing is followed from now on: it is due at `at`, and what it needs is wanted anew. False, and nothing
     * happens, when it is not dormant or not known. `since_day` counts the first time.
     */
    async follow(id: number, { since_day: sinceDay, at }: { since_day: string; at: Date }): Promise<boolean> {
      const awake = { due_at: at, terms_key: null, audit_id: null, begun_by: null };
      const first = { _id: id, due_at: null, since_day: null };
      const isFirst = await set(first, { ...awake, since_day: sinceDay, passed_day: utcDay(at) });
      return isFirst || set({ _id: id, due_at: null }, awake);
    },

    /** Somebody asks for it: what it needs may not be wanted any more. */
    async ask(id: number, at: Date): Promise<void> {
      await listings.updateOne({ _id: id }, { $set: { asked_at: at, terms_key: null } });
    },

    /**
     * Begins an audit: the listing is not due before `until`. Whatever makes it due takes `audit_id` off, at whatever
     * moment it comes due, so that the audit's end is seen to have come too late. Null: there is none that was ever followed.
     */
    begin: (id: number, auditId: string, until: Date) =>
      listings
        .findOneAndUpdate(
          { _id: id, since_day: { $ne: null } },
          { $set: { audit_id: auditId, begun_by: auditId, due_at: until } },
          { returnDocument: 'after' },
        )
        .lean<FollowedListing>(),

    /**
     * Ends an audit; when something has made the listing due since its beginning, it stays so. When another audit has begun
     * since, what this one has to say of it may be older than what that one has said.
     */
    async finish(id: number, auditId: string, ended: Ended): Promise<void> {
      const { due_at: dueAt, ...found } = ended;
      const isMine = await set(
        { _id: id, audit_id: auditId },
        { ...found, due_at: dueAt, failures: 0, audit_id: null },
      );
      if (isMine) return;
      const isAlone = await set({ _id: id, begun_by: auditId }, { ...found, failures: 0 });
      if (!isAlone) await set({ _id: id }, outdated);
    },

    /** Has a listing audited at a moment or earlier, when that is planned already; not when nobody wants it. */
    async hasten(id: number, at: Date): Promise<void> {
      await listings.updateOne({ _id: id, due_at: { $ne: null } }, hastened(at));
    },

    /**
     * Has listings audited: those with terms that were not measured at `pendingAt`, the others at `otherAt`, all of them
     * earlier when that is planned already. How many it has changed something for.
     */
    async hastenAll(
      ids: readonly number[],
      { pendingAt, otherAt }: { pendingAt: Date; otherAt: Date },
    ): Promise<number> {
      let changed = 0;
      for (let start = 0; start < ids.length; start += idsPerCommand) {
        const some = ids.slice(start, start + idsPerCommand);
        for (const [isPending, dueAt] of [
          [true, pendingAt],
          [false, otherAt],
        ] as const) {
          const isNews = [{ due_at: { $gt: dueAt } }, { audit_id: { $ne: null }, due_at: { $ne: null } }];
          const filter = { _id: { $in: some }, is_pending: isPending, $or: isNews };
          const { modifiedCount } = await listings.updateMany(filter, hastened(dueAt));
          changed += modifiedCount;
        }
      }
      return changed;
    },
  };
}

/** Nothing is new in a reading. */
export function isKnown(
  known: KnownListing,
  { revision, read_at: readAt }: Pick<ListingReading, 'revision' | 'read_at'>,
): boolean {
  return known.revision > revision || (known.revision === revision && known.read_at >= readAt);
}

/** An audit that is under way may not have seen why. */
function hastened(dueAt: Date) {
  return { $min: { due_at: dueAt }, $set: { audit_id: null } };
}
