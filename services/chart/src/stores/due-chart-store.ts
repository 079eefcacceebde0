import type { ChartKey } from '@shelfwise/facts/stores/chart-key';
import type { Store } from '@shelfwise/facts/stores/store';
import { type Claimed, createJobQueue, type DueJob } from '@shelfwise/runtime/jobs/job-queue';
import type { ChartPlan } from '../domain/chart-plan.ts';
import type { ChartDocument, ChartStore } from './chart-store.ts';

type DueChart = DueJob &
  ChartKey &
  Pick<ChartDocument, '_id' | 'last_requested_at'> &
  Pick<ChartPlan, 'rating_tries'>;

/** A chart that this copy has claimed for reading. */
export type ClaimedChart = Claimed<DueChart>;

export type DueChartStore = ReturnType<typeof createDueChartStore>;

/** The charts in the daily run. Indexes: `store, due_at` and `store, planned_at`. */
export function createDueChartStore({ model: charts }: Pick<ChartStore, 'model'>) {
  const queue = createJobQueue<DueChart, ChartDocument>({
    model: charts,
    fields: ['store', 'country', 'category', 'collection', 'last_requested_at', 'rating_tries'],
  });
  return {
    queue,
    countDue: (store: Store, at: Date) => queue.countDue({ store }, at),
    countPlannedBefore: (store: Store, at: Date) => charts.countDocuments({ store, planned_at: { $lt: at } }),
    countPlannedFrom: (store: Store, at: Date) => charts.countDocuments({ store, planned_at: { $gte: at } }),
  };
}
