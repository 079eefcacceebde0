import type { Store } from '@shelfwise/facts/store';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import type { ChartPlan } from '../domain/chart-plan.ts';
import type { ChartDocument, ChartStore } from './chart-store.ts';

type DueRow = ChartDocument & ChartPlan;

/**
 * A chart that was taken to be read. Until `until` it is nobody else's, and its plan is written only while it is ours;
 * what was read of it is kept all the same.
 */
export type TakenChart = Pick<
  ChartDocument,
  '_id' | 'store' | 'country' | 'category' | 'collection' | 'last_asked_at'
> &
  Pick<ChartPlan, 'failures' | 'rating_tries'> & {
    /** when it had been due */
    wasDueAt: Date;
    until: Date;
  };

export type DueChartStore = ReturnType<typeof createDueChartStore>;

/** Which charts are to be read, and who reads them: the moment in `due_at` is the lease. */
export function createDueChartStore({ model: charts }: ChartStore) {
  async function takeOne(id: string, dueAt: Date, until: Date): Promise<boolean> {
    const { modifiedCount } = await charts.updateOne({ _id: id, due_at: dueAt }, { $set: { due_at: until } });
    return modifiedCount === 1;
  }

  return {
    /**
     * Takes up to `count` of a store's charts that are due, oldest first. Fewer when others are faster: `found` is how
     * many were due.
     */
    async take(
      store: Store,
      { count, now, until }: { count: number; now: Date; until: Date },
    ): Promise<{ taken: TakenChart[]; found: number }> {
      const due = await charts
        .find({ store, due_at: { $lte: now } })
        .sort({ due_at: 1 })
        .limit(count)
        .batchSize(oneBatch(count))
        .lean<DueRow[]>();
      const isOurs = await Promise.all(due.map(({ _id, due_at: dueAt }) => takeOne(_id, dueAt, until)));
      const taken = due
        .filter((_, index) => isOurs[index])
        .map(
          ({
            _id,
            country,
            category,
            collection,
            last_asked_at: lastAskedAt,
            failures,
            rating_tries: ratingTries,
            due_at: dueAt,
          }) => ({
            _id,
            store,
            country,
            category,
            collection,
            last_asked_at: lastAskedAt,
            failures,
            rating_tries: ratingTries,
            wasDueAt: dueAt,
            until,
          }),
        );
      return { taken, found: due.length };
    },

    /** Nobody has read it meanwhile, and the lease is not over. */
    async isHeld({ _id, until }: TakenChart): Promise<boolean> {
      return (await charts.findOne({ _id, due_at: until }).select({ _id: 1 }).lean()) !== null;
    },

    /** Plans a chart anew; nothing happens when it is not ours any more. */
    async release({ _id, until }: TakenChart, plan: Partial<ChartPlan>): Promise<void> {
      await charts.updateOne({ _id, due_at: until }, { $set: plan });
    },

    /** Ends the readings of a chart. False when somebody has asked for it since `askedBefore`. */
    async retire({ _id, until }: TakenChart, askedBefore: Date): Promise<boolean> {
      const { matchedCount } = await charts.updateOne(
        { _id, due_at: until, last_asked_at: { $lt: askedBefore } },
        { $unset: { planned_at: '', due_at: '', failures: '', rating_tries: '' } },
      );
      return matchedCount === 1;
    },

    countPlannedBefore: (store: Store, at: Date) => charts.countDocuments({ store, planned_at: { $lt: at } }),

    countPlannedFrom: (store: Store, at: Date) => charts.countDocuments({ store, planned_at: { $gte: at } }),

    countDue: (store: Store, at: Date) => charts.countDocuments({ store, due_at: { $lte: at } }),
  };
}
