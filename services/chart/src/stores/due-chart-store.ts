import type { Store } from '@shelfwise/facts/stores/store';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import type { ChartPlan } from '../domain/chart-plan.ts';
import type { ChartDocument, ChartStore } from './chart-store.ts';

type DueChart = ChartDocument & ChartPlan;

/**
 * A chart claimed for reading. No other copy can claim it before `leasedUntil`. `release` and `retire` write only while
 * this copy holds the claim; a snapshot is saved in any case.
 */
export type ClaimedChart = Pick<
  ChartDocument,
  '_id' | 'store' | 'country' | 'category' | 'collection' | 'last_requested_at'
> &
  Pick<ChartPlan, 'failures' | 'rating_tries'> & {
    /** the due time before the claim */
    wasDueAt: Date;
    leasedUntil: Date;
  };

export type DueChartStore = ReturnType<typeof createDueChartStore>;

/** Finds and claims due charts. A claim moves `due_at` to the end of its lease, by which it is recognized later. */
export function createDueChartStore({ model: charts }: Pick<ChartStore, 'model'>) {
  async function claimOne(id: string, dueAt: Date, until: Date): Promise<boolean> {
    const { modifiedCount } = await charts.updateOne({ _id: id, due_at: dueAt }, { $set: { due_at: until } });
    return modifiedCount === 1;
  }

  return {
    /**
     * Claims up to `count` of a store's due charts until `until`, the ones due longest first. `found` (at most `count`)
     * is how many it tried to claim; fewer are claimed when other copies are faster.
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
      const isClaimed = await Promise.all(due.map((chart) => claimOne(chart._id, chart.due_at, until)));
      const claimed = due
        .filter((_, index) => isClaimed[index])
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

    /** Whether the claim holds: no other copy has claimed the chart since, and no caller has caused a read of it. */
    async isLeased({ _id, leasedUntil }: ClaimedChart): Promise<boolean> {
      return (await charts.findOne({ _id, due_at: leasedUntil }).select({ _id: 1 }).lean()) !== null;
    },

    /** Ends the claim with a new plan, which must set `due_at`; does nothing when the claim is lost. */
    async release({ _id, leasedUntil }: ClaimedChart, plan: Partial<ChartPlan>): Promise<void> {
      await charts.updateOne({ _id, due_at: leasedUntil }, { $set: plan });
    },

    /**
     * Ends the daily reads of a chart. Returns false when it was requested at `requestedBefore` or later, or the
     * claim is lost.
     */
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
