import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import { outboxFields, outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { createMemory } from '@shelfwise/runtime/mongo/row-memory';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import type { EventAt } from './tracked-app-store.ts';

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

/** The event of a removal at a given time. */
export type RemovalEvent = (row: CompetitorKey, at: Date) => ReturnType<EventAt>;

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
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, competitor_id: 1, listing_id: 1 }, { unique: true })
  .index({ account_id: 1, active: 1, tracked_since: 1, _id: 1 })
  .index({ account_id: 1, active: 1, listing_id: 1, tracked_since: 1, _id: 1 })
  .index({ competitor_id: 1, active: 1 })
  .index({ outbox_since: 1 }, { sparse: true });

export type CompetitorStore = ReturnType<typeof createCompetitorStore>;

/** @param isOnlyCopy whether the number of an account's competitors may be remembered */
export function createCompetitorStore(
  connection: Connection,
  counters: CounterStore<'competitor'>,
  isOnlyCopy: boolean,
) {
  const competitors = connection.model('Competitor', schema, 'competitors');
  /** How many an account has. */
  const counts = createMemory<string, number>(isOnlyCopy);

  /** Reactivates a removed relation and returns its id; null when it is active or does not exist. */
  async function reactivate(key: CompetitorKey, now: Date, eventAt: EventAt): Promise<number | null> {
    for (;;) {
      const removed = await competitors
        .findOne({ ...key, active: false })
        .select({ removed_at: 1 })
        .lean<Pick<Competitor, '_id' | 'removed_at'>>();
      if (!removed) return null;
      const at = nextChangeTime(now, removed.removed_at);
      const { modifiedCount } = await competitors.updateOne(
        { _id: removed._id, active: false, removed_at: removed.removed_at },
        { $set: { active: true, tracked_since: at, removed_at: null, ...outboxSet(eventAt(at), at) } },
      );
      if (modifiedCount === 1) return removed._id;
    }
  }

  /** Creates a relation and returns its id; null when it already exists, active or removed. */
  async function create(key: CompetitorKey, at: Date, eventAt: EventAt): Promise<number | null> {
    const _id = await counters.take('competitor', 1);
    const row = { _id, ...key, active: true, tracked_since: at, removed_at: null };
    const created = () => competitors.create({ ...row, ...outboxInsert(eventAt(at), at) });
    return (await tryCreate(created)) ? _id : null;
  }

  return {
    model: competitors,

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

    /** No query where it is remembered, which the number of all of an account may be. */
    async countActive(filter: CompetitorFilter): Promise<number> {
      const { account_id: accountId, ...others } = filter;
      const count = () => competitors.countDocuments({ ...filter, active: true });
      if (Object.keys(others).length > 0) return count();
      const found = await counts.find([accountId], async () => new Map([[accountId, await count()]]));
      return found.get(accountId) ?? 0;
    },

    /** The internal ids of the applications that have the listing as a competitor. */
    async competedBy(filter: CompetitorFilter, competitorId: number): Promise<number[]> {
      const rows = await competitors
        .find({ ...filter, competitor_id: competitorId, active: true })
        .select({ listing_id: 1 })
        .lean<Pick<Competitor, 'listing_id'>[]>();
      return rows.map((row) => row.listing_id);
    },

    /**
     * Writes the relation with its event and returns its id; null when it is already active. Of concurrent calls, exactly one gets
     * the id.
     */
    track: (key: CompetitorKey, at: Date, eventAt: EventAt): Promise<number | null> =>
      counts.change(
        key.account_id,
        async () =>
          // The second try is for a row that another call created and removed after the first.
          (await reactivate(key, at, eventAt)) ??
          (await create(key, at, eventAt)) ??
          reactivate(key, at, eventAt),
      ),

    /** `unknown`: the account never had a relation with this id. Index: _id. */
    untrack: (
      accountId: string,
      id: number,
      now: Date,
      eventAt: RemovalEvent,
    ): Promise<'removed' | 'already removed' | 'unknown'> =>
      counts.change(accountId, async () => {
        for (;;) {
          const row = await competitors
            .findOne({ _id: id, account_id: accountId })
            .select({ outbox: 0 })
            .lean<Competitor>();
          if (!row) return 'unknown';
          if (!row.active) return 'already removed';
          const { modifiedCount } = await competitors.updateOne(
            { _id: id, active: true, tracked_since: row.tracked_since },
            removal(row, now, eventAt),
          );
          if (modifiedCount === 1) return 'removed';
        }
      }),

    /** Deletes the relations of an account until the signal fires. Index: account_id, active. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      counts.change(accountId, () => deleteAll(competitors, { account_id: accountId }, signal)),

    /**
     * Removes relations of an account, each with its event, except those that were removed or added again since `rows` were read.
     */
    async untrackMany(
      accountId: string,
      rows: readonly ListedCompetitor[],
      now: Date,
      eventAt: RemovalEvent,
    ): Promise<void> {
      const updates = rows.map((row) => ({
        updateOne: {
          filter: { _id: row._id, active: true, tracked_since: row.tracked_since },
          update: removal({ ...row, account_id: accountId }, now, eventAt),
        },
      }));
      await counts.change(accountId, () => bulkWriteInChunks(competitors, updates));
    },
  };
}

function removal(row: CompetitorKey & Pick<Competitor, 'tracked_since'>, now: Date, eventAt: RemovalEvent) {
  const at = nextChangeTime(now, row.tracked_since);
  return { $set: { active: false, removed_at: at, ...outboxSet(eventAt(row, at), at) } };
}
