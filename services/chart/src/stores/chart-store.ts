import { type ChartKey, chartIdOf } from '@shelfwise/facts/stores/chart-key';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import type { ChartPlan } from '../domain/chart-plan.ts';

/** A chart that was ever requested; `_id` is its `chartIdOf`. The daily run reads only charts with a plan. */
export type ChartDocument = ChartKey & {
  _id: string;
  last_requested_at: Date;
  /** The claim of the daily run (`JobQueue`). */
  claimed_by?: string;
} & Partial<ChartPlan>;

const schema = new Schema<ChartDocument>(
  {
    _id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    category: { type: String, required: true },
    collection: { type: String, required: true },
    last_requested_at: { type: Date, required: true },
    planned_at: Date,
    due_at: Date,
    failures: Number,
    rating_tries: Number,
    claimed_by: String,
  },
  { versionKey: false, suppressReservedKeysWarning: true },
)
  // For the due charts of a store, and to count those planned before a time, or at it and later.
  .index({ store: 1, due_at: 1 })
  .index({ store: 1, planned_at: 1 });

export type ChartStore = ReturnType<typeof createChartStore>;

/** The requested charts: when last, and when the daily run reads them. */
export function createChartStore(connection: Connection) {
  const charts = connection.model('Chart', schema, 'charts');
  return {
    model: charts,

    /** When the chart was last recorded as requested; null if never. */
    async findLastRequestedAt(id: string): Promise<Date | null> {
      const chart = await charts
        .findById(id)
        .select({ last_requested_at: 1 })
        .lean<Pick<ChartDocument, 'last_requested_at'>>();
      return chart?.last_requested_at ?? null;
    },

    /** Records a request for a chart that has a snapshot of today. A chart without a plan gets this one. */
    async recordRequest(key: ChartKey, at: Date, plan: ChartPlan): Promise<void> {
      const _id = chartIdOf(key);
      await retryUpsert(() =>
        charts.updateOne(
          { _id },
          { $set: { last_requested_at: at }, $setOnInsert: { ...key, ...plan } },
          { upsert: true },
        ),
      );
      // For a chart that exists but was dropped from the daily run. The run cannot drop it between the two updates,
      // because the first one has recorded the request.
      await charts.updateOne({ _id, due_at: null }, { $set: plan });
    },

    /** Records a request for which the chart was read now, and replaces its plan; ends a claim. */
    async recordRead(key: ChartKey, at: Date, plan: ChartPlan): Promise<void> {
      await retryUpsert(() =>
        charts.updateOne(
          { _id: chartIdOf(key) },
          { $set: { last_requested_at: at, ...plan }, $setOnInsert: { ...key }, $unset: endClaim },
          { upsert: true },
        ),
      );
    },
  };
}
