import type { Store } from '@shelfwise/facts/store';
import type { Storefront } from '@shelfwise/facts/storefront';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import type { CounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import { type NewEvent, outboxFields, outboxSet } from '@shelfwise/runtime/outbox';
import { type Connection, Schema } from 'mongoose';
import type { ListingContent } from '../domain/listing.ts';
import type { ListingField } from '../domain/listing-changes.ts';

/** When a listing is read again. The moments are there only while an account tracks it or has it as a competitor. */
export type ListingPlan = {
  /** When the plan wants it read: how late a reading is. */
  planned_at?: Date;
  /** When it may be taken next: the same, or later while it is taken or after it could not be read. */
  due_at?: Date;
  /** How often it could not be read since the last time that it was. */
  failures?: number;
  /** When an account last began to track it, or to have it as a competitor: its link may be on its way still. */
  watched_at?: Date;
};

/** The last reading that differed. */
export type Revision = {
  /** Counts such readings, from 1. */
  revision: number;
  changed: ListingField[];
  /** When it was read. */
  changed_at: Date;
};

/** Tracking's own copy of the newest audit. */
export type AsoHealth = {
  /** 0 to 100 each */
  global: number;
  coverage: number;
  targeting: number;
  appeal: number;
  /** 1 to 3 */
  tier: number;
  scoring_version: number;
  computed_at: Date;
};

/** One per storefront and app, shared by all accounts; `_id` is the internal app id. */
export type Listing = ListingContent &
  Revision &
  ListingPlan & {
    _id: number;
    store: Store;
    country: string;
    lang: string;
    app_id: string;
    /** When the store was first found not to have it any more. */
    gone_since: Date | null;
    /** Null until it was audited. */
    aso_health: AsoHealth | null;
  };

/** What a reading writes beside the content: the app is there, and read again at some time. */
type NextPlan = ListingPlan & { gone_since: null };

const text = { type: String, default: '' };
const perhaps = <Type>(type: Type) => ({ type, default: null });

const asoHealthSchema = new Schema<AsoHealth>(
  {
    global: { type: Number, required: true },
    coverage: { type: Number, required: true },
    targeting: { type: Number, required: true },
    appeal: { type: Number, required: true },
    tier: { type: Number, required: true },
    scoring_version: { type: Number, required: true },
    computed_at: { type: Date, required: true },
  },
  { _id: false },
);

const schema = new Schema<Listing>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    app_id: { type: String, required: true },
    bundle_id: perhaps(String),
    title: text,
    subtitle: perhaps(String),
    subtitle_read_at: perhaps(Date),
    description: text,
    url: text,
    icon: text,
    screenshots: { type: [String], required: true },
    has_video: perhaps(Boolean),
    developer_name: text,
    genre: text,
    genre_key: perhaps(String),
    languages: { type: [String], required: true },
    version: perhaps(String),
    score: perhaps(Number),
    ratings: perhaps(Number),
    installs: perhaps(Number),
    price: perhaps(Number),
    currency: perhaps(String),
    released_at: perhaps(Date),
    updated_at: perhaps(Date),
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
    revision: { type: Number, required: true },
    changed: { type: [String], required: true },
    changed_at: { type: Date, required: true },
    gone_since: perhaps(Date),
    aso_health: perhaps(asoHealthSchema),
    planned_at: Date,
    due_at: Date,
    failures: Number,
    watched_at: Date,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, country: 1, lang: 1, app_id: 1 }, { unique: true })
  // What is due, in a store and in a storefront. Both begin with fields that every listing has: sparse would be no use.
  .index({ store: 1, due_at: 1 })
  .index({ store: 1, country: 1, lang: 1, due_at: 1 })
  .index({ outbox_since: 1 }, { sparse: true });

/** What a rank row needs of a listing. */
export type ListingName = Pick<Listing, '_id' | 'app_id' | 'title'>;

export type ListingStore = ReturnType<typeof createListingStore>;

export function createListingStore(connection: Connection, counters: CounterStore<'listing'>) {
  const listings = connection.model('Listing', schema, 'listings');
  const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 };

  /** The listing as long as it is at the revision that is known, and no later reading is kept. */
  const unmoved = ({ _id, revision }: Listing, { read_at: readAt }: ListingContent) => ({
    _id,
    revision,
    read_at: { $lte: readAt },
  });

  return {
    model: listings,

    find: (id: number) => listings.findById(id).select(withoutOutbox).lean<Listing>(),

    findInStorefront: (storefront: Storefront, appId: string) =>
      listings
        .findOne({ ...storefront, app_id: appId })
        .select(withoutOutbox)
        .lean<Listing>(),

    findMany: (ids: readonly number[]) =>
      listings
        .find({ _id: { $in: ids } })
        .select(withoutOutbox)
        .batchSize(oneBatch(ids.length))
        .lean<Listing[]>(),

    findNames: (ids: readonly number[]) =>
      listings
        .find({ _id: { $in: ids } })
        .select({ app_id: 1, title: 1 })
        .batchSize(oneBatch(ids.length))
        .lean<ListingName[]>(),

    /** The id of a new listing, which it keeps for ever. */
    takeId: () => counters.take('listing', 1),

    /** False when another call was first. */
    async create(listing: Listing): Promise<boolean> {
      try {
        await listings.create(listing);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Keeps a reading that makes no revision. False when the listing has moved on. */
    async refresh(
      known: Listing,
      read: ListingContent & NextPlan,
      told: { event: NewEvent; at: Date } | null,
    ): Promise<boolean> {
      const set = { ...read, ...(told && outboxSet(told.event, told.at)) };
      const { matchedCount } = await listings.updateOne(unmoved(known, read), { $set: set });
      return matchedCount === 1;
    },

    /** Keeps a reading as the next revision, with its event. False when the listing has moved on. */
    async revise(
      known: Listing,
      next: ListingContent & NextPlan & Revision,
      { event, at }: { event: NewEvent; at: Date },
    ): Promise<boolean> {
      const { matchedCount } = await listings.updateOne(unmoved(known, next), {
        $set: { ...next, ...outboxSet(event, at) },
      });
      return matchedCount === 1;
    },

    /** Puts a newer audit in place; nothing happens where that one or a later one is there, or no such listing is. */
    async setAsoHealth(id: number, asoHealth: AsoHealth): Promise<void> {
      const older = { 'aso_health.computed_at': { $lt: asoHealth.computed_at } };
      await listings.updateOne(
        { _id: id, $or: [{ aso_health: null }, older] },
        { $set: { aso_health: asoHealth } },
      );
    },

    /** Plans a listing without a reading of it. */
    async plan(id: number, plan: ListingPlan): Promise<void> {
      await listings.updateOne({ _id: id }, { $set: plan });
    },
  };
}
