import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { startOfDay, startOfNextDay } from '@shelfwise/runtime/day';
import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import { outboxFields, outboxInsert, outboxSet, type published } from '@shelfwise/runtime/events/outbox';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { type Connection, Schema, Types } from 'mongoose';
import type { EventAt, TrackedAppKey, TrackedFilter } from './tracked-app-store.ts';

/** A keyword that an account tracks, or tracked before, for an app. Rows are deleted only with their account. */
export type TrackedKeyword = {
  _id: Types.ObjectId;
  account_id: string;
  listing_id: number;
  keyword_id: number;
  /** Copied from the keyword market, so that an index can sort the list. */
  keyword: string;
  active: boolean;
  /** 0: favorite, 1: not a favorite. Ascending order puts favorites first, and every engine serves it from an index. */
  favorite_order: 0 | 1;
  /** When `favorite_order` was set; absent: never. */
  favorite_set_at?: Date;
  /** When the account started to track it last. */
  tracked_since: Date;
  /** Null while it is active. */
  removed_at: Date | null;
};

export type TrackedKeywordKey = Pick<TrackedKeyword, 'account_id' | 'listing_id' | 'keyword_id'>;

/** The fields of a tracked keyword that a list shows. The keyword itself is that of the keyword market. */
export type ListedKeyword = Pick<
  TrackedKeyword,
  'keyword_id' | 'listing_id' | 'favorite_order' | 'tracked_since'
>;

/** A tracked keyword with what the orders of a list and its filters need besides the keyword market. */
export type OrderedKeyword = ListedKeyword & Pick<TrackedKeyword, 'keyword'>;

export type NamedKeyword = Pick<TrackedKeyword, 'keyword_id' | 'keyword'>;

export type IndexedOrder = 'favorites first' | 'by keyword' | 'by keyword, descending';

/** When an account tracks, or tracked last, a keyword for an app. */
export type TrackingPeriod = Pick<TrackedKeyword, 'keyword_id' | 'tracked_since' | 'removed_at'>;

export type NewKeyword = NamedKeyword & {
  eventAt: EventAt;
  /** When the account stopped to track it, as was read; null: it never did, as far as is known. */
  removedAt?: Date | null;
};

/**
 * Selects tracked keywords of an account: all, those of one app or of all except some apps, or favorites.
 */
export type KeywordFilter = {
  account_id: string;
  listing_id?: number | { $nin: number[] };
  favorite_order?: 0;
};

const schema = new Schema<TrackedKeyword>(
  {
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    keyword_id: { type: Number, required: true },
    keyword: { type: String, required: true },
    active: { type: Boolean, required: true },
    favorite_order: { type: Number, required: true },
    favorite_set_at: Date,
    tracked_since: { type: Date, required: true },
    removed_at: { type: Date, default: null },
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, listing_id: 1, keyword_id: 1 }, { unique: true })
  .index({ account_id: 1, keyword_id: 1, listing_id: 1 })
  .index({ account_id: 1, active: 1, favorite_order: 1, keyword: 1, keyword_id: 1, listing_id: 1 })
  .index({ account_id: 1, active: 1, listing_id: 1, favorite_order: 1, keyword: 1, keyword_id: 1 })
  .index({ account_id: 1, active: 1, keyword: 1, keyword_id: 1, listing_id: 1 })
  .index({ account_id: 1, active: 1, listing_id: 1, keyword: 1, keyword_id: 1 })
  .index({ keyword_id: 1, active: 1 })
  .index({ outbox_since: 1 }, { sparse: true });

const sorts = {
  'favorites first': { favorite_order: 1, keyword: 1, keyword_id: 1, listing_id: 1 },
  'by keyword': { keyword: 1, keyword_id: 1, listing_id: 1 },
  'by keyword, descending': { keyword: -1, keyword_id: -1, listing_id: -1 },
} as const satisfies Record<IndexedOrder, object>;

const listedFields = {
  listing_id: 'value',
  keyword_id: 'value',
  favorite_order: 'value',
  tracked_since: 'value',
} as const;

const namedFields = { keyword_id: 'value', keyword: 'value' } as const;

const keywordsPerCount = 50;

export type TrackedKeywordStore = ReturnType<typeof createTrackedKeywordStore>;

export function createTrackedKeywordStore(connection: Connection) {
  const trackedKeywords = connection.model('TrackedKeyword', schema, 'tracked_keywords');
  const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 };

  const countTogether = createBatches<number, number>({
    maxItems: keywordsPerCount,
    async run(keywordIds) {
      const groups = await trackedKeywords.aggregate<{ _id: number; count: number }>([
        { $match: { keyword_id: { $in: [...new Set(keywordIds)] }, active: true } },
        { $group: { _id: '$keyword_id', count: { $sum: 1 } } },
      ]);
      const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
      return keywordIds.map((keywordId) => counts.get(keywordId) ?? 0);
    },
  });

  /** False when the row has changed since it was read. */
  async function reactivateRead(
    key: TrackedKeywordKey,
    removedAt: Date | null,
    now: Date,
    eventAt: EventAt,
  ): Promise<boolean> {
    const at = nextChangeTime(now, removedAt);
    const { modifiedCount } = await trackedKeywords.updateOne(
      { ...key, active: false, removed_at: removedAt },
      { $set: { active: true, tracked_since: at, removed_at: null, ...outboxSet(eventAt(at), at) } },
    );
    return modifiedCount === 1;
  }

  /** False when no row matches. */
  async function remove(filter: object, at: Date, eventAt: EventAt): Promise<boolean> {
    const { modifiedCount } = await trackedKeywords.updateOne(filter, removal(at, eventAt));
    return modifiedCount === 1;
  }

  async function reactivate(key: TrackedKeywordKey, now: Date, eventAt: EventAt): Promise<boolean> {
    for (;;) {
      const removed = await trackedKeywords
        .findOne({ ...key, active: false })
        .select({ removed_at: 1 })
        .lean<Pick<TrackedKeyword, 'removed_at'>>();
      if (!removed) return false;
      if (await reactivateRead(key, removed.removed_at, now, eventAt)) return true;
    }
  }

  return {
    model: trackedKeywords,

    /** Every order is total, so that pages never overlap. An index with each order reads only the rows of the page. */
    list: (
      filter: KeywordFilter,
      order: IndexedOrder,
      page: { skip: number; limit: number },
    ): Promise<ListedKeyword[]> =>
      findFields<ListedKeyword>(
        trackedKeywords,
        { ...filter, active: true },
        { ...page, sort: sorts[order], fields: listedFields },
      ),

    /** The keywords of an app, favorites first, then by keyword. Index: account_id, active, listing_id, favorite_order, … */
    listOfApp: (app: TrackedAppKey, page: { skip: number; limit: number }): Promise<NamedKeyword[]> =>
      findFields<NamedKeyword>(
        trackedKeywords,
        { ...app, active: true },
        { ...page, sort: sorts['favorites first'], fields: namedFields },
      ),

    /** Those that the account tracks or tracked for the app, in no order. Index: account_id, listing_id, keyword_id. */
    findNamed: (app: TrackedAppKey, keywordIds: readonly number[]): Promise<NamedKeyword[]> =>
      findFields<NamedKeyword>(
        trackedKeywords,
        { ...app, keyword_id: { $in: keywordIds } },
        { fields: namedFields },
      ),

    /** The first `limit` rows, in no order. Index: account_id, active, … */
    listUnordered: (filter: KeywordFilter, limit: number): Promise<OrderedKeyword[]> =>
      findFields<OrderedKeyword>(
        trackedKeywords,
        { ...filter, active: true },
        { limit, fields: { ...listedFields, keyword: 'value' } },
      ),

    /** The rows of a keyword, one per application, newest first. */
    listNewest: (filter: TrackedFilter, keywordId: number, limit: number) =>
      trackedKeywords
        .find({ ...filter, keyword_id: keywordId, active: true })
        .sort({ tracked_since: -1, listing_id: -1 })
        .limit(limit)
        .select(withoutOutbox)
        .lean<TrackedKeyword[]>(),

    /** Whether the account tracks the keyword for any app, in any storefront. Index: account_id, active, keyword. */
    async isTracked(accountId: string, keyword: string): Promise<boolean> {
      const filter = { account_id: accountId, active: true, keyword };
      const fields = { keyword_id: 'value' } as const;
      const rows = await findFields(trackedKeywords, filter, { limit: 1, fields });
      return rows.length > 0;
    },

    count: (filter: KeywordFilter) => trackedKeywords.countDocuments({ ...filter, active: true }),

    /**
     * The tracker count of a keyword: its active rows, over all accounts and apps. Counts at the same time share one
     * query. Index: keyword_id, active.
     */
    countTrackers: (keywordId: number) => countTogether(keywordId),

    /** Whether an account tracks the keyword for one of these internal app ids. Index: keyword_id, active. */
    async isTrackedForAny(keywordId: number, listingIds: readonly number[]): Promise<boolean> {
      const filter = { keyword_id: keywordId, active: true, listing_id: { $in: listingIds } };
      const rows = await findFields(trackedKeywords, filter, { limit: 1, fields: { keyword_id: 'value' } });
      return rows.length > 0;
    },

    /** The number of tracked keywords of each app; apps without any are left out. */
    async countByListing(accountId: string, listingIds: readonly number[]): Promise<Map<number, number>> {
      const groups = await trackedKeywords.aggregate<{ _id: number; count: number }>([
        { $match: { account_id: accountId, active: true, listing_id: { $in: listingIds } } },
        { $group: { _id: '$listing_id', count: { $sum: 1 } } },
      ]);
      return new Map(groups.map(({ _id, count }) => [_id, count]));
    },

    /** The ids of the keywords among these that the account tracks for the app. */
    async findActive(app: TrackedAppKey, keywordIds: readonly number[]): Promise<number[]> {
      if (keywordIds.length === 0) return [];
      const rows = await trackedKeywords
        .find({ ...app, keyword_id: { $in: keywordIds }, active: true })
        .select({ keyword_id: 1 })
        .lean();
      return rows.map((row) => row.keyword_id);
    },

    /**
     * Which of these keywords the account tracks for the app, and when it stopped to track others; by keyword id. Those that it never
     * tracked are missing. Index: account_id, listing_id, keyword_id.
     */
    async findStates(
      app: TrackedAppKey,
      keywordIds: readonly number[],
    ): Promise<Map<number, Pick<TrackedKeyword, 'active' | 'removed_at'>>> {
      if (keywordIds.length === 0) return new Map();
      const rows = await findFields<Pick<TrackedKeyword, 'keyword_id' | 'active' | 'removed_at'>>(
        trackedKeywords,
        { ...app, keyword_id: { $in: keywordIds } },
        { fields: { keyword_id: 'value', active: 'value', removed_at: 'value' } },
      );
      return new Map(rows.map((row) => [row.keyword_id, row]));
    },

    /** Those that the account tracks for the app since then, without a pause. Index: account_id, listing_id, keyword_id. */
    async findActiveSince(app: TrackedAppKey, keywordIds: readonly number[], since: Date): Promise<number[]> {
      const rows = await trackedKeywords
        .find({ ...app, keyword_id: { $in: keywordIds }, active: true, tracked_since: { $gte: since } })
        .select({ keyword_id: 1 })
        .lean();
      return rows.map((row) => row.keyword_id);
    },

    /** The keywords that the account tracks for the app, in no order. Index: account_id, active, listing_id, … */
    listKeywords: (app: TrackedAppKey): Promise<NamedKeyword[]> =>
      findFields<NamedKeyword>(trackedKeywords, { ...app, active: true }, { fields: namedFields }),

    /**
     * The first `limit` keywords that the account tracked for the app at the end of a day of the window (YYYY-MM-DD, both
     * days included), also removed ones, in no order. Index: account_id, listing_id, keyword_id.
     */
    listTrackedBetween: (
      { account_id, listing_id }: TrackedAppKey,
      { from, to }: { from: string; to: string },
      limit: number,
    ): Promise<TrackingPeriod[]> =>
      findFields<TrackingPeriod>(
        trackedKeywords,
        {
          account_id,
          listing_id,
          tracked_since: { $lt: startOfNextDay(startOfDay(to)) },
          $or: [{ removed_at: null }, { removed_at: { $gte: startOfNextDay(startOfDay(from)) } }],
        },
        { limit, fields: { keyword_id: 'value', tracked_since: 'value', removed_at: 'value' } },
      ),

    listActive: (key: { account_id: string; listing_id: number }, limit: number) =>
      trackedKeywords
        .find({ ...key, active: true })
        .limit(limit)
        .select(withoutOutbox)
        .lean<TrackedKeyword[]>(),

    /** The apps for which the account tracks (`active`) or tracked the keyword. Index: account_id, keyword_id. */
    listApps: (accountId: string, keywordId: number) =>
      trackedKeywords
        .find({ account_id: accountId, keyword_id: keywordId })
        .select({ _id: 0, listing_id: 1, active: 1 })
        .lean<Pick<TrackedKeyword, 'listing_id' | 'active'>[]>(),

    /** The internal ids of the apps for which the account tracks or tracked the keyword, ascending. */
    async listingsOf(accountId: string, keywordId: number): Promise<number[]> {
      const rows = await trackedKeywords
        .find({ account_id: accountId, keyword_id: keywordId })
        .sort({ listing_id: 1 })
        .select({ listing_id: 1 })
        .lean();
      return rows.map((row) => row.listing_id);
    },

    /**
     * Tracks keywords for an app, each with its event, and returns the ids of those that were not tracked. A removed row
     * is reactivated and stays a favorite if it was one. Costs one insert for all, and one update for each that was removed; two
     * queries more where that was not known.
     */
    async trackMany(app: TrackedAppKey, keywords: readonly NewKeyword[], now: Date): Promise<Set<number>> {
      const fresh = { active: true, favorite_order: 1, tracked_since: now, removed_at: null } as const;
      const tracked = new Set<number>();
      const others: NewKeyword[] = [];
      for (const keyword of keywords) {
        const { keyword_id: id, removedAt = null, eventAt } = keyword;
        const key = { ...app, keyword_id: id };
        if (removedAt !== null && (await reactivateRead(key, removedAt, now, eventAt))) tracked.add(id);
        else others.push(keyword);
      }
      const rows = others.map(({ removedAt: _read, ...keyword }) => ({
        _id: new Types.ObjectId(),
        ...keyword,
      }));
      const existingIds = await insertNew(
        trackedKeywords.collection,
        rows.map(({ eventAt, ...row }) => ({ ...app, ...row, ...fresh, ...outboxInsert(eventAt(now), now) })),
      );
      for (const { _id, keyword_id: id, eventAt } of rows) {
        const isNew = !existingIds.has(_id) || (await reactivate({ ...app, keyword_id: id }, now, eventAt));
        if (isNew) tracked.add(id);
      }
      return tracked;
    },

    /**
     * `unknown`: the account never tracked the keyword for this app. One write, unless it is not tracked, or this clock is behind the
     * one that tracked it.
     */
    async untrack(
      key: TrackedKeywordKey,
      now: Date,
      eventAt: EventAt,
    ): Promise<'removed' | 'already removed' | 'unknown'> {
      if (await remove({ ...key, active: true, tracked_since: { $lt: now } }, now, eventAt)) return 'removed';
      for (;;) {
        const row = await trackedKeywords
          .findOne(key)
          .select({ active: 1, tracked_since: 1 })
          .lean<Pick<TrackedKeyword, 'active' | 'tracked_since'>>();
        if (!row) return 'unknown';
        if (!row.active) return 'already removed';
        const { tracked_since: since } = row;
        const read = { ...key, active: true, tracked_since: since };
        if (await remove(read, nextChangeTime(now, since), eventAt)) return 'removed';
      }
    },

    /** Untracks the rows, each with its event, except those that were removed or tracked again since they were read. */
    async untrackMany(rows: readonly { row: TrackedKeyword; eventAt: EventAt }[], now: Date): Promise<void> {
      await bulkWriteInChunks(
        trackedKeywords,
        rows.map(({ row, eventAt }) => ({
          updateOne: {
            filter: { _id: row._id, active: true, tracked_since: row.tracked_since },
            update: removal(nextChangeTime(now, row.tracked_since), eventAt),
          },
        })),
      );
    },

    /**
     * Deletes the removed keywords of an account until the signal fires: all, or those with published events.
     * Index: account_id, active.
     */
    deleteRemoved: (accountId: string, which: Partial<typeof published>, signal: AbortSignal) =>
      deleteAll(trackedKeywords, { account_id: accountId, active: false, ...which }, signal),

    countRows: (accountId: string) => trackedKeywords.countDocuments({ account_id: accountId }),

    /**
     * With its event. `unknown`: the account does not track the keyword. One write, unless nothing changes, or this clock is behind the
     * one that set it last. Index: account_id, listing_id, keyword_id.
     */
    async setFavorite(
      key: TrackedKeywordKey,
      isFavorite: boolean,
      now: Date,
      eventAt: EventAt,
    ): Promise<'set' | 'as it was' | 'unknown'> {
      const [order, before] = isFavorite ? ([0, 1] as const) : ([1, 0] as const);
      const set = async (setAt: object | null, at: Date): Promise<boolean> => {
        const { modifiedCount } = await trackedKeywords.updateOne(
          { ...key, active: true, favorite_order: before, favorite_set_at: setAt },
          { $set: { favorite_order: order, favorite_set_at: at, ...outboxSet(eventAt(at), at) } },
        );
        return modifiedCount === 1;
      };
      if (await set({ $not: { $gte: now } }, now)) return 'set';
      for (;;) {
        const row = await trackedKeywords
          .findOne({ ...key, active: true })
          .select({ favorite_order: 1, favorite_set_at: 1 })
          .lean<Pick<TrackedKeyword, 'favorite_order' | 'favorite_set_at'>>();
        if (!row) return 'unknown';
        if (row.favorite_order === order) return 'as it was';
        const { favorite_set_at: setAt = null } = row;
        if (await set(setAt, nextChangeTime(now, setAt))) return 'set';
      }
    },
  };
}

function removal(at: Date, eventAt: EventAt) {
  return { $set: { active: false, removed_at: at, ...outboxSet(eventAt(at), at) } };
}
