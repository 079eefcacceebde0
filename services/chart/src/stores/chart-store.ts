import { retryUpsert } from '@shelfwise/runtime/mongo-queries/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { type ChartKey, chartIdOf } from '../domain/chart-key.ts';
import type { ChartPlan } from '../domain/chart-plan.ts';

/** A chart that was asked for, `_id` is its `chartIdOf`. Without a plan it is not read by itself. */
export type ChartDocument = ChartKey & { _id: string; last_asked_at: Date } & Partial<ChartPlan>;

const schema = new Schema<ChartDocument>(
  {
    _id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    category: { type: String, required: true },
    collection: { type: String, required: true },
    last_asked_at: { type: Date, required: true },
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

/** Which charts were asked for, and when last. */
export function createChartStore(connection: Connection) {
  const charts = connection.model('Chart', schema, 'charts');
  return {
    model: charts,

    /** When a chart was last known to be asked for; null when it never was. */
    async findAskedAt(id: string): Promise<Date | null> {
      const chart = await charts
        .findById(id)
        .select({ last_asked_at: 1 })
        .lean<Pick<ChartDocument, 'last_asked_at'>>();
      return chart?.last_asked_at ?? null;
    },

    /** Somebody asks for a chart whose snapshot of today is there: a chart that was not planned is from now on. */
    async noteAsked(key: ChartKey, at: Date, plan: ChartPlan): Promise<void> {
      const _id = chartIdOf(key);
      await retryUpsert(() =>
        charts.updateOne(
          { _id },
          { $set: { last_asked_at: at }, $setOnInsert: { ...key, ...plan } },
          { upsert: true },
        ),
      );
      // Its readings may have ended; asked first and planned second, they cannot end in between.
      await charts.updateOne({ _id, due_at: null }, { $set: plan });
    },

    /** Somebody asked for a chart, which was read for him. */
    async noteRead(key: ChartKey, at: Date, plan: ChartPlan): Promise<void> {
      await retryUpsert(() =>
        charts.updateOne(
          { _id: chartIdOf(key) },
          { $set: { last_asked_at: at, ...plan }, $setOnInsert: { ...key } },
          { upsert: true },
        ),
      );
    },
  };
}
