import type { Store } from '@shelfwise/facts/store';
import type { Listing as ListingContent } from '@shelfwise/proto/store/v1/store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type Connection, Schema } from 'mongoose';
import type { ListingReading } from '../domain/listing-reading.ts';

/** Scoring's own copy of a listing that is, or was, tracked. */
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
  /** The UTC day from which on it is known here. */
  since_day: string;
  /** Of the terms that were last kept and wanted for it; null: they are to be kept and wanted anew. */
  terms_key: string | null;
  /** Some of them were not measured when it was last audited. */
  is_pending: boolean;
  /** The last UTC day on which it was audited at its time of the day or later; null: none yet. */
  passed_day: string | null;
  /** When somebody last asked for it whom no event had announced. */
  asked_at: Date | null;
  /** The audit that is under way, while nothing has made the listing due since its beginning. */
  audit_id: string | null;
  /** The audit that was begun last, ended or not; null once the listing is another one than it knows. */
  begun_by?: string | null;
} & ListingPlan;

export type ListingPlan = {
  /** When it is audited next, and until when an audit that has begun has it for itself; absent: nobody wants it. */
  due_at?: Date | null;
  /** How often it could not be audited since the last time that it was. */
  failures: number;
};

/** How well a listing is known. */
export type KnownListing = Pick<Listing, '_id' | 'revision' | 'read_at' | 'due_at'>;

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
    since_day: { type: String, required: true },
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

/** What follows a reading that was newer than the one known. */
type Accepted = { since_day: string; at: Date };

export type ListingStore = ReturnType<typeof createListingStore>;

/** One document of some 10 KB per listing, shared by all accounts. Found by `_id` where no other index is named. */
export function createListingStore(connection: Connection) {
  const listings = connection.model('Listing', schema, 'listings');

  /** Takes the place of an older reading, and is due: an audit that is under way has seen the older one. */
  async function supersede(reading: ListingReading, at: Date): Promise<boolean> {
    const { id: _id, storefront, ...newer } = reading;
    const { revision, read_at } = reading;
    const { matchedCount } = await listings.updateOne(
      { _id, $or: [{ revision: { $lt: revision } }, { revision, read_at: { $lt: read_at } }] },
      { $set: { ...storefront, ...newer, due_at: at, audit_id: null, begun_by: null } },
    );
    return matchedCount === 1;
  }

  async function create({ id: _id, storefront, ...reading }: ListingReading, { since_day, at }: Accepted) {
    try {
      await listings.create({
        ...{ _id, ...storefront, ...reading, since_day },
        ...{ terms_key: null, is_pending: true, passed_day: null, asked_at: null },
        ...{ audit_id: null, due_at: at, failures: 0 },
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async function set(filter: { _id: number; audit_id?: string; begun_by?: string }, fields: object) {
    const { matchedCount } = await listings.updateOne(filter, { $set: fields });
    return matchedCount === 1;
  }

  return {
    model: listings,

    findKnown: (id: number) =>
      listings.findById(id).select({ revision: 1, read_at: 1, due_at: 1 }).lean<KnownListing>(),

    /** Keeps a reading that is newer than the one known, or the first, and has it audited; false when it is neither. */
    async accept(reading: ListingReading, accepted: Accepted): Promise<boolean> {
      if (await supersede(reading, accepted.at)) return true;
      if (await create(reading, accepted)) return true;
      // Somebody else has just made it, perhaps of an older reading.
      return supersede(reading, accepted.at);
    },

    /** Somebody asks for it: what it needs may not be wanted any more. */
    async ask(id: number, at: Date): Promise<void> {
      await listings.updateOne({ _id: id }, { $set: { asked_at: at, terms_key: null } });
    },

    /**
     * Begins an audit: the listing is not due before `until`. Whatever makes it due takes `audit_id` off, at whatever
     * moment it comes due, so that the audit's end is seen to have come too late. Null: there is none.
     */
    begin: (id: number, audit_id: string, until: Date) =>
      listings
        .findOneAndUpdate(
          { _id: id },
          { $set: { audit_id, begun_by: audit_id, due_at: until } },
          { returnDocument: 'after' },
        )
        .lean<Listing>(),

    /**
     * Ends an audit; when something has made the listing due since its beginning, it stays so. When another audit has begun
     * since, what this one has to say of it may be older than what that one has said.
     */
    async finish(id: number, audit_id: string, ended: Ended): Promise<void> {
      const { due_at, ...found } = ended;
      const isMine = await set({ _id: id, audit_id }, { ...found, due_at, failures: 0, audit_id: null });
      if (isMine) return;
      const isAlone = await set({ _id: id, begun_by: audit_id }, { ...found, failures: 0 });
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
        for (const [is_pending, due_at] of [
          [true, pendingAt],
          [false, otherAt],
        ] as const) {
          const isNews = [{ due_at: { $gt: due_at } }, { audit_id: { $ne: null }, due_at: { $ne: null } }];
          const filter = { _id: { $in: some }, is_pending, $or: isNews };
          const { modifiedCount } = await listings.updateMany(filter, hastened(due_at));
          changed += modifiedCount;
        }
      }
      return changed;
    },
  };
}

/** An audit that is under way may not have seen why. */
function hastened(due_at: Date) {
  return { $min: { due_at }, $set: { audit_id: null } };
}
