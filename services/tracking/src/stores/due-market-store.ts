import type { Store } from '@shelfwise/facts/store';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import { updatesPerCommand } from '@shelfwise/runtime/mongo-queries/updates-per-command';
import type { Model } from 'mongoose';
import type { Market, MarketDocument, MarketPlan, MarketStore } from './market-store.ts';

/** A market that is to be read. */
export type DueMarket = Pick<Market, '_id' | 'keyword' | 'store' | 'country' | 'lang'> &
  Pick<MarketPlan, 'due_at' | 'watchers' | 'failures'>;

/** How a market stands right before it is read. */
export type MarketClaim = Pick<MarketDocument, '_id' | 'claimed_by' | 'due_at'> & {
  latest?: { day: string } | null;
};

export type WatchedMarket = Omit<Market, 'latest'>;

export type DueMarketStore = ReturnType<typeof createDueMarketStore>;

const ofDue = { keyword: 1, store: 1, country: 1, lang: 1, due_at: 1, watchers: 1, failures: 1 } as const;

/**
 * The markets as the daily run sees them: what is due, who reads it, how many are behind. Every query is a range of
 * one index, however many markets there are.
 */
export function createDueMarketStore({ model }: Pick<MarketStore, 'model'>) {
  const markets = model as unknown as Model<MarketDocument>;

  const listDue = (filter: { store: Store; watchers?: number; failures?: number }, at: Date, limit: number) =>
    markets
      .find({ ...filter, due_at: { $lte: at } })
      .sort({ due_at: 1 })
      .limit(limit)
      .batchSize(oneBatch(limit))
      .select(ofDue)
      .lean<DueMarket[]>();

  return {
    /** Oldest first. */
    listDue: (store: Store, at: Date, limit: number) => listDue({ store }, at, limit),

    /** Those that have not failed since they were read last, oldest first. */
    listDueUnfailed: (store: Store, at: Date, limit: number) => listDue({ store, failures: 0 }, at, limit),

    /** Those of them with exactly so many watchers, oldest first. */
    listDueOf: (store: Store, watchers: number, at: Date, limit: number) =>
      listDue({ store, watchers, failures: 0 }, at, limit),

    /** The greatest number of watchers that a market has, below the one given; null when there is none. */
    async watchersBelow(store: Store, below: number): Promise<number | null> {
      const [market] = await markets
        .find({ store, watchers: { $gte: 0, $lt: below } })
        .sort({ watchers: -1 })
        .limit(1)
        .batchSize(oneBatch(1))
        .select({ watchers: 1 })
        .lean<Pick<MarketPlan, 'watchers'>[]>();
      return market?.watchers ?? null;
    },

    /**
     * Claims those of the markets that are still due, until the moment given; the ids of those that were. Of several
     * that claim one market at once exactly one gets it. `claim` is a text that was never used before.
     */
    async claim(ids: readonly number[], at: Date, until: Date, claim: string): Promise<Set<number>> {
      const { modifiedCount } = await markets.updateMany(
        { _id: { $in: ids }, due_at: { $lte: at } },
        { $set: { due_at: until, claimed_by: claim } },
      );
      if (modifiedCount === 0) return new Set();
      const mine = await markets
        .find({ _id: { $in: ids }, claimed_by: claim })
        .batchSize(oneBatch(ids.length))
        .select({ _id: 1 })
        .lean<Pick<Market, '_id'>[]>();
      return new Set(mine.map(({ _id }) => _id));
    },

    findClaim: (id: number) =>
      markets.findOne({ _id: id }).select({ claimed_by: 1, due_at: 1, 'latest.day': 1 }).lean<MarketClaim>(),

    /** Ends a claim and sets when the market is due next; nothing happens when the claim is over already. */
    async release(id: number, claim: string, dueAt: Date, failures?: number): Promise<void> {
      await markets.updateOne({ _id: id, claimed_by: claim }, releasing(dueAt, failures));
    },

    async releaseMany(released: readonly { id: number; claim: string; dueAt: Date }[]): Promise<void> {
      for (let start = 0; start < released.length; start += updatesPerCommand) {
        const some = released.slice(start, start + updatesPerCommand);
        await markets.bulkWrite(
          some.map(({ id, claim, dueAt }) => ({
            updateOne: { filter: { _id: id, claimed_by: claim }, update: releasing(dueAt) },
          })),
          { ordered: false },
        );
      }
    },

    /** False when the claim is over. */
    async prolong(id: number, claim: string, until: Date): Promise<boolean> {
      const { matchedCount } = await markets.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { due_at: until } },
      );
      return matchedCount === 1;
    },

    /** Ends a claim and plans the next reading anew. */
    async replan(id: number, claim: string, plannedAt: Date): Promise<void> {
      await markets.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { planned_at: plannedAt, due_at: plannedAt, failures: 0 }, $unset: { claimed_by: '' } },
      );
    },

    /** Ends a claim and all further readings; false, and nothing happens, when somebody began to track it since. */
    async unplan(id: number, claim: string, watchedSince: Date): Promise<boolean> {
      const { matchedCount } = await markets.updateOne(
        {
          _id: id,
          claimed_by: claim,
          $or: [{ watched_at: null }, { watched_at: { $lt: watchedSince } }],
        },
        {
          $set: { watchers: 0 },
          $unset: { planned_at: '', due_at: '', failures: '', claimed_by: '' },
        },
      );
      return matchedCount === 1;
    },

    /**
     * Makes up to `limit` markets due at a moment that are planned before `plannedBefore`, due later than that and read
     * by nobody: oldest plan first, from `plannedFrom` on. Where to go on; null when there are no more.
     */
    async bringForward(
      store: Store,
      at: Date,
      { plannedFrom, plannedBefore }: { plannedFrom: Date; plannedBefore: Date },
      limit: number,
    ): Promise<Date | null> {
      const later = { due_at: { $gt: at }, claimed_by: null };
      const found = await markets
        .find({ store, planned_at: { $gte: plannedFrom, $lt: plannedBefore }, ...later })
        .sort({ planned_at: 1 })
        .limit(limit)
        .batchSize(oneBatch(limit))
        .select({ planned_at: 1 })
        .lean<Pick<MarketDocument, '_id' | 'planned_at'>[]>();
      const ids = found.map(({ _id }) => _id);
      for (let start = 0; start < ids.length; start += updatesPerCommand)
        await markets.updateMany(
          { _id: { $in: ids.slice(start, start + updatesPerCommand) }, ...later },
          { $set: { due_at: at } },
        );
      const last = found.length === limit ? found.at(-1)?.planned_at : undefined;
      if (!last) return null;
      // Others may be planned for the same moment; those that this call made due are not found again.
      return last > plannedFrom ? last : new Date(last.getTime() + 1);
    },

    countDue: (store: Store, at: Date) => markets.countDocuments({ store, due_at: { $lte: at } }),

    /** Those that are planned before the moment given, and so were not read since. */
    countPlannedBefore: (store: Store, at: Date) =>
      markets.countDocuments({ store, planned_at: { $lt: at } }),

    countPlannedFrom: (store: Store, at: Date) => markets.countDocuments({ store, planned_at: { $gte: at } }),

    /** How many are read every day. */
    countPlanned: (store: Store) => markets.countDocuments({ store, planned_at: { $gt: new Date(0) } }),

    /** Markets that somebody tracks, by id; pages of a walk over all of them. */
    listWatched: (afterId: number, limit: number) =>
      markets
        .find({ _id: { $gt: afterId }, watchers: { $gte: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(oneBatch(limit))
        .select({ keyword: 1, store: 1, country: 1, lang: 1 })
        .lean<WatchedMarket[]>(),
  };
}

function releasing(dueAt: Date, failures?: number) {
  return {
    $set: { due_at: dueAt, ...(failures !== undefined && { failures }) },
    $unset: { claimed_by: '' },
  };
}
