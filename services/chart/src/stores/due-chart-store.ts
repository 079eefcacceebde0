import type { Store } from '@shelfwise/facts/stores/store';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import type { ChartPlan } from '../domain/chart-plan.ts';
import type { ChartDocument, ChartStore } from './chart-store.ts';

type DueChart = ChartDocument & ChartPlan;

/**
 * A chart that was claimed to be read. Until `leasedUntil` no other copy can claim it, and its plan is written only while
 * the lease is ours; the snapshot is saved in any case.
 */
export type ClaimedChart = Pick<
  ChartDocument,
  '_id' | 'store' | 'country' | 'category' | 'collection' | 'last_requested_at'
> &
  Pick<ChartPlan, 'failures' | 'rating_tries'> & {
    /** when it had been due */
    wasDueAt: Date;
    leasedUntil: Date;
  };

export type DueChartStore = ReturnType<typeof createDueChartStore>;

/** Which charts are due, and which copy reads them: the moment in `due_at` is the lease. */
export function createDueChartStore({ model: charts }: Pick<ChartStore, 'model'>) {
  async function claimOne(id: string, dueAt: Date, until: Date): Promise<boolean> {
    const { modifiedCount } = await charts.updateOne({ _id: id, due_at: dueAt }, { $set: { due_at: until } });
    return modifiedCount === 1;
  }

  return {
    /**
     * Claims up to `count` of a store's charts that are due, oldest first. Fewer when other copies are faster: `found` is
     * how many were due.
     */
    async claim(
      store: Store,
      { count, now, until }: { count: number; now: Date; until: Date },
    ): Promise<{ claimed: ClaimedChart[]; found: number }> {
      const due = await charts
        .find({ store, due_at: { $lte: now } })
        .sort({ due_at: 1 })
        .limit(count)
        .batchSize(singleBatchSize(count))
        .lean<DueChart[]>();
      const isOurs = await Promise.all(due.map((chart) => claimOne(chart._id, chart.due_at, until)));
      const claimed = due
        .filter((_, index) => isOurs[index])
        .map((chart) => ({
          _id: chart._id,
          store,
          country: chart.country,
          category: chart.category,
          collection: chart.collection,
          last_requested_at: chart.last_requested_at,
          failures: chart.failures,
          rating_tries: chart.rating_tries,
          wasDueAt: chart.due_at,
          leasedUntil: until,
        }));
      return { claimed, found: due.length };
    },

    /** It was not read meanwhile, and the lease has not expired. */
    async isLeased({ _id, leasedUntil }: ClaimedChart): Promise<boolean> {
      return (await charts.findOne({ _id, due_at: leasedUntil }).select({ _id: 1 }).lean()) !== null;
    },

    /** Plans a chart anew; nothing happens when the lease is lost. */
    async release({ _id, leasedUntil }: ClaimedChart, plan: Partial<ChartPlan>): Promise<void> {
      await charts.updateOne({ _id, due_at: leasedUntil }, { $set: plan });
    },

    /** Ends the daily reads of a chart. False when it was requested since `requestedBefore`. */
    async retire({ _id, leasedUntil }: ClaimedChart, requestedBefore: Date): Promise<boolean> {
      const { matchedCount } = await charts.updateOne(
        { _id, due_at: leasedUntil, last_requested_at: { $lt: requestedBefore } },
        { $unset: { planned_at: '', due_at: '', failures: '', rating_tries: '' } },
      );
      return matchedCount === 1;
    },

    countPlannedBefore: (store: Store, at: Date) => charts.countDocuments({ store, planned_at: { $lt: at } }),

    countPlannedFrom: (store: Store, at: Date) => charts.countDocuments({ store, planned_at: { $gte: at } }),

    countDue: (store: Store, at: Date) => charts.countDocuments({ store, due_at: { $lte: at } }),
  };
}
