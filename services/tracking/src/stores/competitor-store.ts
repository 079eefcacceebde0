import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';

/**
 * A relation: a listing that an account has, or had, as a competitor of a tracked application. Rows are deleted only
 * with their account.
 */
export type Competitor = {
  /** The relation's id. It stays the same when a removed competitor is added again. */
  _id: number;
  account_id: string;
  /** The internal app id of the application. */
  listing_id: number;
  /** The internal app id of the competitor. */
  competitor_id: number;
  /** False after the competitor or its application was removed. */
  active: boolean;
  /** When it was added last. */
  tracked_since: Date;
  /** Null while it is active. */
  removed_at: Date | null;
};

export type CompetitorKey = Pick<Competitor, 'account_id' | 'listing_id' | 'competitor_id'>;

export type ListedCompetitor = Pick<Competitor, '_id' | 'listing_id' | 'competitor_id' | 'tracked_since'>;

/** Selects relations of an account: all, those of one application, or all except those of some applications. */
export type CompetitorFilter = { account_id: string; listing_id?: number | { $nin: number[] } };

const schema = new Schema<Competitor>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    competitor_id: { type: Number, required: true },
    active: { type: Boolean, required: true },
    tracked_since: { type: Date, required: true },
    removed_at: { type: Date, default: null },
  },
  { versionKey: false },
)
  .index({ account_id: 1, competitor_id: 1, listing_id: 1 }, { unique: true })
  .index({ account_id: 1, active: 1, tracked_since: 1, _id: 1 })
  .index({ account_id: 1, active: 1, listing_id: 1, tracked_since: 1, _id: 1 })
  .index({ competitor_id: 1, active: 1 });

export type CompetitorStore = ReturnType<typeof createCompetitorStore>;

export function createCompetitorStore(connection: Connection, counters: CounterStore<'competitor'>) {
  const competitors = connection.model('Competitor', schema, 'competitors');

  /** Reactivates a removed relation and returns its id; null when it is active or does not exist. */
  async function reactivate(key: CompetitorKey, at: Date): Promise<number | null> {
    const row = await competitors
      .findOneAndUpdate(
        { ...key, active: false },
        { $set: { active: true, tracked_since: at, removed_at: null } },
        { returnDocument: 'after' },
      )
      .lean<Competitor>();
    return row?._id ?? null;
  }

  /** Creates a relation and returns its id; null when it already exists, active or removed. */
  async function create(key: CompetitorKey, at: Date): Promise<number | null> {
    const _id = await counters.take('competitor', 1);
    const row = { _id, ...key, active: true, tracked_since: at, removed_at: null };
    return (await tryCreate(() => competitors.create(row))) ? _id : null;
  }

  return {
    async findActive(key: CompetitorKey): Promise<number | null> {
      const found = await competitors.findOne({ ...key, active: true }, { _id: 1 }).lean();
      return found?._id ?? null;
    },

    /** The listings among these that at least one account has as a competitor. */
    async findCompeting(listingIds: readonly number[]): Promise<Set<number>> {
      if (listingIds.length === 0) return new Set();
      const filter = { competitor_id: { $in: listingIds }, active: true };
      return new Set(await competitors.distinct('competitor_id', filter));
    },

    /** Newest first. */
    listActive: (filter: CompetitorFilter, limit: number): Promise<ListedCompetitor[]> =>
      findFields<ListedCompetitor>(
        competitors,
        { ...filter, active: true },
        {
          sort: { tracked_since: -1, _id: -1 },
          limit,
          fields: { _id: 'value', listing_id: 'value', competitor_id: 'value', tracked_since: 'value' },
        },
      ),

    countActive: (filter: CompetitorFilter) => competitors.countDocuments({ ...filter, active: true }),

    /** The internal ids of the applications that have the listing as a competitor. */
    async competedBy(filter: CompetitorFilter, competitorId: number): Promise<number[]> {
      const rows = await competitors
        .find({ ...filter, competitor_id: competitorId, active: true })
        .select({ listing_id: 1 })
        .lean<Pick<Competitor, 'listing_id'>[]>();
      return rows.map((row) => row.listing_id);
    },

    /** Returns the relation's id; null when it is already active. Of concurrent calls, exactly one gets the id. */
    async track(key: CompetitorKey, at: Date): Promise<number | null> {
      // The second try is for a row that another call created and removed after the first.
      return (await reactivate(key, at)) ?? (await create(key, at)) ?? reactivate(key, at);
    },

    /** `unknown`: the account never had a relation with this id. */
    async untrack(
      accountId: string,
      id: number,
      at: Date,
    ): Promise<'removed' | 'already removed' | 'unknown'> {
      const key = { _id: id, account_id: accountId };
      const { modifiedCount } = await competitors.updateOne({ ...key, active: true }, removal(at));
      if (modifiedCount === 1) return 'removed';
      return (await competitors.countDocuments(key)) > 0 ? 'already removed' : 'unknown';
    },

    /** Deletes the relations of an account until the signal fires. Index: account_id, active. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(competitors, { account_id: accountId }, signal),

    /** Removes the relations, except those that were removed or added again since `rows` were read. */
    async untrackMany(rows: readonly Pick<Competitor, '_id' | 'tracked_since'>[], at: Date): Promise<void> {
      await bulkWriteInChunks(
        competitors,
        rows.map((row) => ({
          updateOne: {
            filter: { _id: row._id, active: true, tracked_since: row.tracked_since },
            update: removal(at),
          },
        })),
      );
    },
  };
}

function removal(at: Date) {
  return { $set: { active: false, removed_at: at } };
}
