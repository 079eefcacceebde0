import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type Claimed, createJobQueue, type DueJob } from '@shelfwise/runtime/jobs/job-queue';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { Model } from 'mongoose';
import type {
  KeywordMarket,
  KeywordMarketDocument,
  KeywordMarketPlan,
  KeywordMarketStore,
} from './keyword-market-store.ts';

/** A keyword market that is due, with what the daily run needs to order and read it. */
export type DueKeywordMarket = DueJob &
  Pick<KeywordMarket, '_id' | 'keyword' | 'store' | 'country' | 'lang'> &
  Pick<KeywordMarketPlan, 'tracker_count'>;

export type ClaimedKeywordMarket = Claimed<DueKeywordMarket>;

export type TrackedKeywordMarket = Omit<KeywordMarket, 'latest'>;

export type DueKeywordMarketStore = ReturnType<typeof createDueKeywordMarketStore>;

/**
 * The keyword markets as the daily run sees them. Every query reads a range of one index, however many keywords there
 * are: `store, due_at`, `store, tracker_count, due_at` or `store, planned_at`.
 */
export function createDueKeywordMarketStore({ model }: Pick<KeywordMarketStore, 'model'>) {
  const keywordMarkets = model as unknown as Model<KeywordMarketDocument>;
  const queue = createJobQueue<DueKeywordMarket, KeywordMarketDocument>({
    model,
    fields: ['keyword', 'store', 'country', 'lang', 'tracker_count'],
  });

  return {
    queue,

    /** The highest tracker count below the given one, of any keyword market, due or not; null when there is none. */
    async nextTrackerCount(store: Store, below: number): Promise<number | null> {
      const [market] = await keywordMarkets
        .find({ store, tracker_count: { $gte: 0, $lt: below } })
        .sort({ tracker_count: -1 })
        .limit(1)
        .select({ tracker_count: 1 })
        .lean<Pick<KeywordMarketPlan, 'tracker_count'>[]>();
      return market?.tracker_count ?? null;
    },

    /**
     * Makes up to `limit` keyword markets due at `at`, earliest plan first: those planned in the given time that are
     * due later and not claimed. Returns the `plannedFrom` of the next call; null when there are no more.
     */
    async makeDueBy(
      store: Store,
      at: Date,
      { plannedFrom, plannedBefore }: { plannedFrom: Date; plannedBefore: Date },
      limit: number,
    ): Promise<Date | null> {
      const isDueLater = { due_at: { $gt: at }, claimed_by: null };
      const markets = await keywordMarkets
        .find({ store, planned_at: { $gte: plannedFrom, $lt: plannedBefore }, ...isDueLater })
        .sort({ planned_at: 1 })
        .limit(limit)
        .select({ planned_at: 1 })
        .lean<Pick<KeywordMarketDocument, '_id' | 'planned_at'>[]>();
      await bulkWriteInChunks(
        keywordMarkets,
        markets.map(({ _id }) => ({
          updateOne: { filter: { _id, ...isDueLater }, update: { $set: { due_at: at } } },
        })),
      );
      const lastPlan = markets.length === limit ? markets.at(-1)?.planned_at : undefined;
      if (!lastPlan) return null;
      // Others may be planned for the same millisecond. It is searched once more; those made due do not match again.
      return lastPlan > plannedFrom ? lastPlan : new Date(lastPlan.getTime() + 1);
    },

    /**
     * Makes those of the given keywords due at `at` whose snapshot of the day `today` (YYYY-MM-DD, UTC) is empty. Index:
     * store, country, lang, keyword. Returns whether any has become due.
     */
    async makeEmptyDue(
      keywords: readonly { storefront: Storefront; keyword: string }[],
      today: string,
      at: Date,
    ): Promise<boolean> {
      // No store identifier is an empty text.
      const isEmpty = { 'latest.day': today, 'latest.app_ids': { $not: { $gt: '' } } };
      const { modifiedCount } = await bulkWriteInChunks(
        keywordMarkets,
        keywords.map(({ storefront, keyword }) => ({
          updateOne: {
            filter: { ...storefront, keyword, ...isEmpty, claimed_by: null, due_at: { $gt: at } },
            update: { $set: { due_at: at } },
          },
        })),
      );
      return modifiedCount > 0;
    },

    countDue: (store: Store, at: Date) => queue.countDue({ store }, at),

    /**
     * Those planned before the given moment that a copy has claimed since `startedAt`, also when the claim has expired;
     * counting stops at `limit`.
     */
    countClaimed: (store: Store, startedAt: Date, plannedBefore: Date, limit: number) =>
      keywordMarkets.countDocuments(
        {
          store,
          due_at: { $gt: startedAt },
          planned_at: { $lt: plannedBefore },
          claimed_by: { $ne: null },
        },
        { limit },
      ),

    /** Those planned before the given moment and not read since: a reading moves the plan to the next day. */
    countPlannedBefore: (store: Store, at: Date) =>
      keywordMarkets.countDocuments({ store, planned_at: { $lt: at } }),

    /** With the start of tomorrow: those that were read today. */
    countPlannedFrom: (store: Store, at: Date) =>
      keywordMarkets.countDocuments({ store, planned_at: { $gte: at } }),

    /** How many keyword markets `listTracked` lists. */
    countTracked: (store: Store) => keywordMarkets.countDocuments({ store, tracker_count: { $gte: 1 } }),

    /** One page of all tracked keyword markets, in the order of their ids: those with an id above `afterId`. */
    listTracked: (afterId: number, limit: number) =>
      keywordMarkets
        .find({ _id: { $gt: afterId }, tracker_count: { $gte: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .select({ keyword: 1, store: 1, country: 1, lang: 1 })
        .lean<TrackedKeywordMarket[]>(),
  };
}
