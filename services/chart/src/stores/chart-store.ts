import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { type ChartKey, chartIdOf } from '../domain/chart-key.ts';
import type { ChartPlan } from '../domain/chart-plan.ts';

/** A chart that was requested, `_id` is its `chartIdOf`. Without a plan it is not read by itself. */
export type ChartDocument = ChartKey & { _id: string; last_requested_at: Date } & Partial<ChartPlan>;

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
  },
  { versionKey: false, suppressReservedKeysWarning: true },
)
  // Within a store: what is due; how many are planned before or from a moment.
  .index({ store: 1, due_at: 1 })
  .index({ store: 1, planned_at: 1 });

export type ChartStore = ReturnType<typeof createChartStore>;

/** Which charts were requested, and when last. */
export function createChartStore(connection: Connection) {
  const charts = connection.model('Chart', schema, 'charts');
  return {
    model: charts,

    /** The last recorded request for a chart; null when there was none. */
    async findLastRequestedAt(id: string): Promise<Date | null> {
      const chart = await charts
        .findById(id)
        .select({ last_requested_at: 1 })
        .lean<Pick<ChartDocument, 'last_requested_at'>>();
      return chart?.last_requested_at ?? null;
    },

    /** Records a request for a chart that has today's snapshot. A chart without a plan is planned from now on. */
    async recordRequest(key: ChartKey, at: Date, plan: ChartPlan): Promise<void> {
      const _id = chartIdOf(key);
      await retryUpsert(() =>
        charts.updateOne(
          { _id },
          { $set: { last_requested_at: at }, $setOnInsert: { ...key, ...plan } },
          { upsert: true },
        ),
      );
      // Its daily reads may have ended; recorded first and planned second, they cannot end in between.
      await charts.updateOne({ _id, due_at: null }, { $set: plan });
    },

    /** Records a request for a chart that was read for it. */
    async recordRead(key: ChartKey, at: Date, plan: ChartPlan): Promise<void> {
      await retryUpsert(() =>
        charts.updateOne(
          { _id: chartIdOf(key) },
          { $set: { last_requested_at: at, ...plan }, $setOnInsert: { ...key } },
          { upsert: true },
        ),
      );
    },
  };
}
