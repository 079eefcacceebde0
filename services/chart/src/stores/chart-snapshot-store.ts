import { insertNew } from '@shelfwise/runtime/mongo-queries/insert-new';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import { type Connection, Schema } from 'mongoose';
import { type ChartRow, type ChartSnapshot, hasRatings } from '../domain/chart-snapshot.ts';

/** The history: one row per chart and day, `_id` is `<chart id>:<day>`. */
type SnapshotDocument = ChartSnapshot & { _id: string; has_ratings: boolean };

const rowSchema = new Schema<ChartRow>(
  {
    title: String,
    icon: String,
    developer: String,
    rating: Number,
    price: Number,
    currency: String,
  },
  { _id: false },
);

const schema = new Schema<SnapshotDocument>(
  {
    _id: { type: String, required: true },
    day: { type: String, required: true },
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
    app_ids: { type: [String], required: true },
    rows: { type: [rowSchema], required: true },
    has_ratings: { type: Boolean, required: true },
  },
  { versionKey: false },
)
  // For the sweep of old ones.
  .index({ day: 1 });

export type ChartSnapshotStore = ReturnType<typeof createChartSnapshotStore>;

export function createChartSnapshotStore(connection: Connection) {
  const snapshots = connection.model('ChartSnapshot', schema, 'chart_snapshots');

  const find = (chartId: string, day: string) =>
    snapshots.findById(idOf(chartId, day)).lean<SnapshotDocument>();

  return {
    /** Null when the chart has none of that day. */
    find: async (chartId: string, day: string): Promise<ChartSnapshot | null> => {
      const found = await find(chartId, day);
      return found && toSnapshot(found);
    },

    /** The apps of a day in rank order; null when the chart has no snapshot of that day. */
    async findAppIds(chartId: string, day: string): Promise<string[] | null> {
      const found = await snapshots
        .findById(idOf(chartId, day))
        .select({ app_ids: 1 })
        .lean<Pick<SnapshotDocument, 'app_ids'>>();
      return found?.app_ids ?? null;
    },

    /** Keeps snapshots of a chart, each unless there is one of its day: the first of a day stays, and is the answer. */
    async keepFirst(chartId: string, fresh: readonly ChartSnapshot[]): Promise<ChartSnapshot[]> {
      const rows = fresh.map((snapshot) => ({
        _id: idOf(chartId, snapshot.day),
        ...snapshot,
        has_ratings: hasRatings(snapshot),
      }));
      const known = await insertNew(snapshots.collection, rows);
      return Promise.all(
        fresh.map(async (snapshot) => {
          if (!known.has(idOf(chartId, snapshot.day))) return snapshot;
          const kept = await find(chartId, snapshot.day);
          return kept ? toSnapshot(kept) : snapshot;
        }),
      );
    },

    /** Puts rows with ratings in the place of the same rows without; nothing happens where there are ratings already. */
    async setRatings(chartId: string, day: string, rows: readonly ChartRow[]): Promise<void> {
      await snapshots.updateOne(
        { _id: idOf(chartId, day), has_ratings: false },
        { $set: { rows, has_ratings: true } },
      );
    },

    /** Deletes up to `limit` snapshots of days before the one given; how many. */
    async deleteBefore(day: string, limit: number): Promise<number> {
      const old = await snapshots
        .find({ day: { $lt: day } })
        .sort({ day: 1 })
        .limit(limit)
        .batchSize(oneBatch(limit))
        .select({ _id: 1 })
        .lean<Pick<SnapshotDocument, '_id'>[]>();
      if (old.length > 0) await snapshots.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
      return old.length;
    },
  };
}

function toSnapshot({ day, read_at, source, app_ids, rows }: SnapshotDocument): ChartSnapshot {
  return { day, read_at, source, app_ids, rows };
}

function idOf(chartId: string, day: string): string {
  return `${chartId}:${day}`;
}
