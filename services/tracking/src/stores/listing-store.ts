import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type NewEvent, outboxFields, outboxSet } from '@shelfwise/runtime/events/outbox';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import type { FieldsOf } from '@shelfwise/runtime/mongo/read/read-fields';
import { createMemory } from '@shelfwise/runtime/mongo/row-memory';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import { type AuditDay, type AuditDays, noAudits } from '../domain/audit-days.ts';
import type { ImageChanges } from '../domain/image-changes.ts';
import type { ListingReading } from '../domain/listing.ts';
import type { ChangedField } from '../domain/listing-changes.ts';
import { listingFields, type StoreListing } from '../domain/listing-fields.ts';

/**
 * When the daily run reads a listing. Without `planned_at` and `due_at` it does not: no account tracks the listing or
 * has it as a competitor.
 */
export type ListingPlan = {
  /** The next reading, as planned. */
  planned_at?: Date;
  /** `planned_at`, or later: when the claim expires, or when a failed reading is retried. */
  due_at?: Date;
  /** Failed readings since the last successful one. */
  failures?: number;
  /** When an account last started to track it or to have it as a competitor; that row may not be written yet. */
  last_tracked_at?: Date;
};

/** The last reading that showed a change. */
export type Revision = {
  /** The number of such readings, including the very first reading: 1. */
  revision: number;
  /** The fields that differed from the previous revision; empty in the first. */
  changed: ChangedField[];
  /** The time of that reading. */
  changed_at: Date;
  /** How the pictures differed; null in the first revision, absent in revisions of older versions. */
  images?: ImageChanges | null;
};

/** A copy of the newest audit that scoring published. */
export type AsoHealth = {
  /** 0 to 100 each. */
  global: number;
  coverage: number;
  targeting: number;
  appeal: number;
  /** How established the app is: 1 emerging, 2 growing, 3 established. */
  tier: number;
  scoring_version: number;
  computed_at: Date;
  /** The time of a newer audit that waits for its words; null: none does. */
  pending_at: Date | null;
  /** Whether the traffic of a term in the scores is partial. */
  is_partial: boolean;
};

/** Empty look-ups since the last reading, each followed by an answer for another app. Null: there are none. */
export type Absence = {
  missing_since: Date | null;
  /** The latest one. */
  missed_at: Date | null;
  /** `missing_since`, once look-ups on two UTC days were empty; null while the app is listed. */
  unlisted_since: Date | null;
};

/** The absence of an app that the store shows. */
export const shown: Absence = { missing_since: null, missed_at: null, unlisted_since: null };

/** One listing per storefront and app, shared by all accounts; `_id` is the internal app id. */
export type Listing = ListingReading &
  Revision &
  ListingPlan &
  Absence & {
    _id: number;
    store: Store;
    country: string;
    lang: string;
    /** Null until the first audit that may be shown. */
    aso_health: AsoHealth | null;
    /** The time of the newest event about audits; null: none has come. */
    aso_health_at: Date | null;
    /** The last complete audits of two days. Absent: none is known. */
    audits?: AuditDays | null;
    /** The claim of the daily run (`JobQueue`). */
    claimed_by?: string;
  };

const nullable = <Type>(type: Type) => ({ type, default: null });

const asoHealthSchema = new Schema<AsoHealth>(
  {
    global: { type: Number, required: true },
    coverage: { type: Number, required: true },
    targeting: { type: Number, required: true },
    appeal: { type: Number, required: true },
    tier: { type: Number, required: true },
    scoring_version: { type: Number, required: true },
    computed_at: { type: Date, required: true },
    pending_at: nullable(Date),
    is_partial: { type: Boolean, required: true },
  },
  { _id: false },
);

const auditDaySchema = new Schema<AuditDay>(
  {
    day: { type: String, required: true },
    at: { type: Date, required: true },
    global: { type: Number, required: true },
    scoring_version: { type: Number, required: true },
  },
  { _id: false },
);

const auditDaysSchema = new Schema<AuditDays>(
  { newest: nullable(auditDaySchema), day_before: nullable(auditDaySchema) },
  { _id: false },
);

/** Without a default: an absent value says that the pictures were not compared. */
export const imagesSchema = new Schema<ImageChanges>(
  {
    icon_changed: nullable(Boolean),
    screenshots_added: nullable(Number),
    screenshots_removed: nullable(Number),
  },
  { _id: false },
);

const schema = new Schema<Listing>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    ...listingFields,
    subtitle_read_at: Date,
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
    revision: { type: Number, required: true },
    changed: { type: [String], required: true },
    changed_at: { type: Date, required: true },
    images: imagesSchema,
    missing_since: nullable(Date),
    missed_at: nullable(Date),
    unlisted_since: nullable(Date),
    aso_health: nullable(asoHealthSchema),
    aso_health_at: nullable(Date),
    audits: auditDaysSchema,
    planned_at: Date,
    due_at: Date,
    failures: Number,
    last_tracked_at: Date,
    claimed_by: String,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, country: 1, lang: 1, app_id: 1 }, { unique: true })
  .index({ store: 1, country: 1, lang: 1, bundle_id: 1 })
  // For due listings, per store and per storefront. Both start with fields that every listing has, so a sparse index
  // would save nothing.
  .index({ store: 1, due_at: 1 })
  .index({ store: 1, country: 1, lang: 1, due_at: 1 })
  .index({ outbox_since: 1 }, { sparse: true });

/** What identifies an app in its store. */
export type StoreId = { app_id: string } | { bundle_id: string };

/** Which listing it is, and its storefront. */
export type ListingKey = Storefront & Pick<Listing, '_id'>;

/** Which listing it is, its storefront, and how it is called. */
export type ListingName = Readonly<Storefront & Pick<Listing, '_id' | 'app_id' | 'bundle_id' | 'title'>>;

/** What is shown of a listing: all except its plan and its changes. */
export type ListedListing = Readonly<
  ListingReading & Storefront & Pick<Listing, '_id' | 'revision' | 'aso_health' | 'audits' | 'unlisted_since'>
>;

/** Of some 10 KB each. */
const mostRemembered = 500;

const nameFields: FieldsOf<ListingName> = {
  _id: 'value',
  app_id: 'value',
  bundle_id: 'value',
  title: 'value',
  store: 'value',
  country: 'value',
  lang: 'value',
};

const storeFields = Object.fromEntries(
  Object.keys(listingFields).map((field) => [field, 'value']),
) as FieldsOf<StoreListing>;

const auditDayFields: FieldsOf<AuditDay> = {
  day: 'value',
  at: 'value',
  global: 'value',
  scoring_version: 'value',
};

const listedFields: FieldsOf<ListedListing> = {
  _id: 'value',
  store: 'value',
  country: 'value',
  lang: 'value',
  ...storeFields,
  subtitle_read_at: 'value',
  read_at: 'value',
  source: 'value',
  revision: 'value',
  unlisted_since: 'value',
  aso_health: {
    global: 'value',
    coverage: 'value',
    targeting: 'value',
    appeal: 'value',
    tier: 'value',
    scoring_version: 'value',
    computed_at: 'value',
    pending_at: 'value',
    is_partial: 'value',
  },
  audits: { newest: auditDayFields, day_before: auditDayFields },
};

export type ListingStore = ReturnType<typeof createListingStore>;

/** @param isOnlyCopy whether names, and what is shown of listings, may be remembered */
export function createListingStore(
  connection: Connection,
  counters: CounterStore<'listing'>,
  isOnlyCopy: boolean,
) {
  const listings = connection.model('Listing', schema, 'listings');
  const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 };
  const names = createMemory<number, ListingName>(isOnlyCopy);
  const shownListings = createMemory<number, ListedListing>(isOnlyCopy, mostRemembered);

  async function readListed(ids: readonly number[]): Promise<Map<number, ListedListing>> {
    const rows = await findFields<ListedListing>(listings, { _id: { $in: ids } }, { fields: listedFields });
    return new Map(rows.map((row) => [row._id, row]));
  }

  const changeRow = <Result>(id: number, write: () => Promise<Result>): Promise<Result> =>
    names.change(id, () => shownListings.change(id, write));

  async function readNames(ids: readonly number[]): Promise<Map<number, ListingName>> {
    const filter = { _id: { $in: ids } };
    const rows = await findFields<ListingName>(listings, filter, {
      projection: { app_id: 1, bundle_id: 1, title: 1, store: 1, country: 1, lang: 1 },
      fields: nameFields,
    });
    return new Map(rows.map((row) => [row._id, row]));
  }

  return {
    model: listings,

    find: (id: number) => listings.findById(id).select(withoutOutbox).lean<Listing>(),

    findInStorefront: (storefront: Storefront, appId: string) =>
      listings
        .findOne({ ...storefront, app_id: appId })
        .select(withoutOutbox)
        .lean<Listing>(),

    /** Null for an app that was never stored. Index: store, country, lang, app_id or bundle_id. */
    findKey: (storefront: Storefront, id: StoreId) =>
      listings
        .findOne({ ...storefront, ...id })
        .select({ store: 1, country: 1, lang: 1 })
        .lean<ListingKey>(),

    /** In no order, without those that do not exist. No query where all are remembered. */
    findMany: async (ids: readonly number[]): Promise<ListedListing[]> => [
      ...(await shownListings.find(ids, readListed)).values(),
    ],

    /** Null: it does not exist. */
    findListed: async (id: number): Promise<ListedListing | null> =>
      (await shownListings.find([id], readListed)).get(id) ?? null,

    /** In no order, without those that do not exist. No query where all are remembered. */
    findNames: async (ids: readonly number[]): Promise<ListingName[]> => [
      ...(await names.find(ids, readNames)).values(),
    ],

    /** Null: it does not exist. */
    findName: async (id: number): Promise<ListingName | null> =>
      (await names.find([id], readNames)).get(id) ?? null,

    /** Those that are stored, in no order. Index: store, country, lang, app_id. */
    findInStore: (
      storefront: Storefront,
      appIds: readonly string[],
    ): Promise<Pick<Listing, '_id' | 'app_id'>[]> =>
      findFields<Pick<Listing, '_id' | 'app_id'>>(
        listings,
        { ...storefront, app_id: { $in: appIds } },
        { projection: { app_id: 1 }, fields: { _id: 'value', app_id: 'value' } },
      ),

    takeId: () => counters.take('listing', 1),

    /** False when another call created the listing first. */
    create: (listing: Listing) => tryCreate(() => listings.create(listing)),

    /**
     * Saves a reading and the next plan, with its event if it has one, and as the next revision if it shows a change. False
     * when another call changed the listing since `stored` was read, or stored a later reading.
     */
    async saveReading(
      { _id, revision }: Listing,
      next: ListingReading & ListingPlan & Absence & Partial<Revision>,
      change: { event: NewEvent; at: Date } | null,
    ): Promise<boolean> {
      const { matchedCount } = await changeRow(_id, () =>
        listings.updateOne(
          { _id, revision, read_at: { $lte: next.read_at } },
          { $set: { ...next, ...(change && outboxSet(change.event, change.at)) }, $unset: endClaim },
        ),
      );
      return matchedCount === 1;
    },

    /**
     * Stores the newest audit that may be shown, as of a given time. Does nothing when one of that time or a later one is
     * stored, or the listing does not exist.
     */
    async setAsoHealth(id: number, asoHealth: AsoHealth, at: Date): Promise<void> {
      await changeRow(id, () =>
        listings.updateOne(
          { _id: id, aso_health_at: { $not: { $gte: at } } },
          { $set: { aso_health: asoHealth, aso_health_at: at } },
        ),
      );
    },

    /** Null: the listing does not exist. Index: _id. */
    async findAudits(id: number): Promise<AuditDays | null> {
      const found = await listings.findById(id).select({ audits: 1 }).lean<Pick<Listing, 'audits'>>();
      return found && (found.audits ?? noAudits);
    },

    /** False when another call has changed them since `stored` was read. Index: _id. */
    async saveAudits(id: number, stored: AuditDays, audits: AuditDays): Promise<boolean> {
      const filter = {
        _id: id,
        'audits.newest.at': stored.newest?.at ?? null,
        'audits.day_before.at': stored.day_before?.at ?? null,
      };
      const { matchedCount } = await changeRow(id, () => listings.updateOne(filter, { $set: { audits } }));
      return matchedCount === 1;
    },

    /**
     * The store identifier of the listing of the storefront that is read last each day, without `except` and missing
     * ones; null when there is none. Index: store, country, lang, due_at.
     */
    async findReadDaily(storefront: Storefront, except: readonly string[]): Promise<string | null> {
      const found = await listings
        .findOne({
          ...storefront,
          due_at: { $gt: new Date(0) },
          missing_since: null,
          app_id: { $nin: except },
        })
        .sort({ due_at: -1 })
        .select({ app_id: 1 })
        .lean<Pick<Listing, 'app_id'>>();
      return found?.app_id ?? null;
    },

    /** Saves an empty look-up. A plan ends the claim. */
    async setMissing(
      id: number,
      absence: Pick<Absence, 'missing_since' | 'missed_at'>,
      plan: ListingPlan | null,
    ): Promise<void> {
      await listings.updateOne(
        { _id: id },
        plan ? { $set: { ...absence, ...plan }, $unset: endClaim } : { $set: absence },
      );
    },

    /** Saves as the next revision, with its event, that an app is unlisted. False when another call changed the listing. */
    async markUnlisted(
      { _id, revision, read_at: readAt }: Listing,
      next: Absence & ListingPlan & Revision,
      { event, at }: { event: NewEvent; at: Date },
    ): Promise<boolean> {
      const { matchedCount } = await changeRow(_id, () =>
        listings.updateOne(
          { _id, revision, read_at: readAt },
          { $set: { ...next, ...outboxSet(event, at) }, $unset: endClaim },
        ),
      );
      return matchedCount === 1;
    },

    /** Writes a plan without a reading; ends a claim. */
    async plan(id: number, plan: ListingPlan): Promise<void> {
      await listings.updateOne({ _id: id }, { $set: plan, $unset: endClaim });
    },
  };
}
