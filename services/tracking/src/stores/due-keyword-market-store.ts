import type { Store } from '@shelfwise/facts/stores/store';
import { singleBatchSize, updatesPerCommand } from '@shelfwise/runtime/mongo/batch-sizes';
import type { Model } from 'mongoose';
import type {
  KeywordMarket,
  KeywordMarketDocument,
  KeywordMarketPlan,
  KeywordMarketStore,
} from './keyword-market-store.ts';

/** A keyword market that is due, with what the daily run needs to order and read it. */
export type DueKeywordMarket = Pick<KeywordMarket, '_id' | 'keyword' | 'store' | 'country' | 'lang'> &
  Pick<KeywordMarketPlan, 'due_at' | 'tracker_count' | 'failures'>;

/** What is checked right before a reading: who holds the claim, and the day of the latest snapshot. */
export type KeywordMarketClaim = Pick<KeywordMarketDocument, '_id' | 'claimed_by' | 'due_at'> & {
  latest?: { day: string } | null;
};

export type TrackedKeywordMarket = Omit<KeywordMarket, 'latest'>;

export type DueKeywordMarketStore = ReturnType<typeof createDueKeywordMarketStore>;

const dueFields = {
  keyword: 1,
  store: 1,
  country: 1,
  lang: 1,
  due_at: 1,
  tracker_count: 1,
  failures: 1,
} as const;

/**
 * The keyword markets as the daily run sees them: due, claimed and late ones. A claim moves `due_at` to the time when
 * it expires. Every query is a range of one index, however many keywords there are.
 */
export function createDueKeywordMarketStore({ model }: Pick<KeywordMarketStore, 'model'>) {
  const keywordMarkets = model as unknown as Model<KeywordMarketDocument>;

  const listDue = (
    filter: { store: Store; tracker_count?: number; failures?: number },
    at: Date,
    limit: number,
  ) =>
    keywordMarkets
      .find({ ...filter, due_at: { $lte: at } })
      .sort({ due_at: 1 })
      .limit(limit)
      .batchSize(singleBatchSize(limit))
      .select(dueFields)
      .lean<DueKeywordMarket[]>();

  return {
    /** Longest due first. */
    listDue: (store: Store, at: Date, limit: number) => listDue({ store }, at, limit),

    /** Only those without a failure since their last reading, longest due first. */
    listDueUnfailed: (store: Store, at: Date, limit: number) => listDue({ store, failures: 0 }, at, limit),

    /** Those with exactly this tracker count and without a failure since their last reading, longest due first. */
    listDueByTrackerCount: (store: Store, trackerCount: number, at: Date, limit: number) =>
      listDue({ store, tracker_count: trackerCount, failures: 0 }, at, limit),

    /** The highest tracker count below the given one, of any keyword market, due or not; null when there is none. */
    async nextTrackerCount(store: Store, below: number): Promise<number | null> {
      const [market] = await keywordMarkets
        .find({ store, tracker_count: { $gte: 0, $lt: below } })
        .sort({ tracker_count: -1 })
        .limit(1)
        .batchSize(singleBatchSize(1))
        .select({ tracker_count: 1 })
        .lean<Pick<KeywordMarketPlan, 'tracker_count'>[]>();
      return market?.tracker_count ?? null;
    },

    /**
     * Claims those of the keyword markets that are still due, until `expiresAt`, and returns their ids. Of several
     * copies that claim one at the same time, exactly one gets it. `claim` is a new unique id, by which the later calls
     * prove that they hold the claim.
     */
    async claim(ids: readonly number[], at: Date, expiresAt: Date, claim: string): Promise<Set<number>> {
      const { modifiedCount } = await keywordMarkets.updateMany(
        { _id: { $in: ids }, due_at: { $lte: at } },
        { $set: { due_at: expiresAt, claimed_by: claim } },
      );
      if (modifiedCount === 0) return new Set();
      const claimed = await keywordMarkets
        .find({ _id: { $in: ids }, claimed_by: claim })
        .batchSize(singleBatchSize(ids.length))
        .select({ _id: 1 })
        .lean<Pick<KeywordMarket, '_id'>[]>();
      return new Set(claimed.map(({ _id }) => _id));
    },

    findClaim: (id: number) =>
      keywordMarkets
        .findOne({ _id: id })
        .select({ claimed_by: 1, due_at: 1, 'latest.day': 1 })
        .lean<KeywordMarketClaim>(),

    /**
     * Ends a claim and sets when the keyword market is due again; does nothing when it is no longer under this claim.
     * Without `failures`, the stored number stays.
     */
    async requeue(id: number, claim: string, dueAt: Date, failures?: number): Promise<void> {
      await keywordMarkets.updateOne({ _id: id, claimed_by: claim }, requeueUpdate(dueAt, failures));
    },

    /** Like `requeue`, for many. */
    async requeueMany(requeued: readonly { id: number; claim: string; dueAt: Date }[]): Promise<void> {
      for (let start = 0; start < requeued.length; start += updatesPerCommand) {
        const batch = requeued.slice(start, start + updatesPerCommand);
        await keywordMarkets.bulkWrite(
          batch.map(({ id, claim, dueAt }) => ({
            updateOne: { filter: { _id: id, claimed_by: claim }, update: requeueUpdate(dueAt) },
          })),
          { ordered: false },
        );
      }
    },

    /** Moves the end of a claim. False when the keyword market is no longer under this claim. */
    async extendClaim(id: number, claim: string, expiresAt: Date): Promise<boolean> {
      const { matchedCount } = await keywordMarkets.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { due_at: expiresAt } },
      );
      return matchedCount === 1;
    },

    /** Ends a claim and plans the next reading. */
    async reschedule(id: number, claim: string, plannedAt: Date): Promise<void> {
      await keywordMarkets.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { planned_at: plannedAt, due_at: plannedAt, failures: 0 }, $unset: { claimed_by: '' } },
      );
    },

    /**
     * Ends a claim and all further readings. Returns false and changes nothing when an account started to track the
     * keyword at `trackedSince` or later, or the keyword market is no longer under this claim.
     */
    async unschedule(id: number, claim: string, trackedSince: Date): Promise<boolean> {
      const { matchedCount } = await keywordMarkets.updateOne(
        {
          _id: id,
          claimed_by: claim,
          $or: [{ last_tracked_at: null }, { last_tracked_at: { $lt: trackedSince } }],
        },
        {
          $set: { tracker_count: 0 },
          $unset: { planned_at: '', due_at: '', failures: '', claimed_by: '' },
        },
      );
      return matchedCount === 1;
    },

    /**
     * Makes up to `limit` keyword markets due at `at`: those planned from `plannedFrom` until before `plannedBefore`
     * that are due later than `at` and not claimed, earliest plan first. Returns the `plannedFrom` of the next call;
     * null when there are no more.
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
        .batchSize(singleBatchSize(limit))
        .select({ planned_at: 1 })
        .lean<Pick<KeywordMarketDocument, '_id' | 'planned_at'>[]>();
      const ids = markets.map(({ _id }) => _id);
      for (let start = 0; start < ids.length; start += updatesPerCommand)
        await keywordMarkets.updateMany(
          { _id: { $in: ids.slice(start, start + updatesPerCommand) }, ...isDueLater },
          { $set: { due_at: at } },
        );
      const lastPlan = markets.length === limit ? markets.at(-1)?.planned_at : undefined;
      if (!lastPlan) return null;
      // Others may be planned for the same millisecond. It is searched once more; those made due do not match again.
      return lastPlan > plannedFrom ? lastPlan : new Date(lastPlan.getTime() + 1);
    },

    countDue: (store: Store, at: Date) => keywordMarkets.countDocuments({ store, due_at: { $lte: at } }),

    /** Those planned before the given moment and not read since: a reading moves the plan to the next day. */
    countPlannedBefore: (store: Store, at: Date) =>
      keywordMarkets.countDocuments({ store, planned_at: { $lt: at } }),

    /** With the start of tomorrow: those that were read today. */
    countPlannedFrom: (store: Store, at: Date) =>
      keywordMarkets.countDocuments({ store, planned_at: { $gte: at } }),

    /** The number of keywords that are read every day. */
    countPlanned: (store: Store) =>
      keywordMarkets.countDocuments({ store, planned_at: { $gt: new Date(0) } }),

    /** One page of all tracked keyword markets, in the order of their ids: those with an id above `afterId`. */
    listTracked: (afterId: number, limit: number) =>
      keywordMarkets
        .find({ _id: { $gt: afterId }, tracker_count: { $gte: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(singleBatchSize(limit))
        .select({ keyword: 1, store: 1, country: 1, lang: 1 })
        .lean<TrackedKeywordMarket[]>(),
  };
}

function requeueUpdate(dueAt: Date, failures?: number) {
  const $set: Partial<KeywordMarketPlan> = { due_at: dueAt };
  if (failures !== undefined) $set.failures = failures;
  return { $set, $unset: { claimed_by: '' } };
}
