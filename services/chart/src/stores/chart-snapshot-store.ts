import { type NewEvent, outboxFields, outboxInsert } from '@shelfwise/runtime/events/outbox';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { type Connection, Schema } from 'mongoose';
import { type ChartRow, type ChartSnapshot, hasRatings } from '../domain/chart-snapshot.ts';

/**
 * One document per chart and day; `_id` is `<chart id>:<day>`. Rows are stored as columns in rank order: a list of
 * 200 strings is read ten times as fast as 200 nested documents.
 */
type SnapshotDocument = Omit<ChartSnapshot, 'rows'> & {
  _id: string;
  titles: (string | null)[];
  icons: (string | null)[];
  developers: (string | null)[];
  ratings: (number | null)[];
  prices: (number | null)[];
  currencies: (string | null)[];
  has_ratings: boolean;
};

const column = <Type>(type: Type) => ({ type: [type], required: true });

const schema = new Schema<SnapshotDocument>(
  {
    _id: { type: String, required: true },
    day: { type: String, required: true },
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
    app_ids: column(String),
    titles: column(String),
    icons: column(String),
    developers: column(String),
    ratings: column(Number),
    prices: column(Number),
    currencies: column(String),
    has_ratings: { type: Boolean, required: true },
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  // For the sweep of old snapshots.
  .index({ day: 1 })
  // For the relay.
  .index({ outbox_since: 1 }, { sparse: true });

export type ChartSnapshotStore = ReturnType<typeof createChartSnapshotStore>;

export function createChartSnapshotStore(connection: Connection) {
  const snapshots = connection.model('ChartSnapshot', schema, 'chart_snapshots');

  const find = (chartId: string, day: string) =>
    snapshots.findById(idOf(chartId, day)).lean<SnapshotDocument>();

  return {
    model: snapshots,

    /** Null when the chart has no snapshot of that day. */
    find: async (chartId: string, day: string): Promise<ChartSnapshot | null> => {
      const document = await find(chartId, day);
      return document && toSnapshot(document);
    },

    /** In rank order; null when the chart has no snapshot of that day. */
    async findAppIds(chartId: string, day: string): Promise<string[] | null> {
      const document = await snapshots
        .findById(idOf(chartId, day))
        .select({ app_ids: 1 })
        .lean<Pick<SnapshotDocument, 'app_ids'>>();
      return document?.app_ids ?? null;
    },

    /**
     * Saves snapshots of a chart. A day that has a snapshot keeps it. Returns the stored snapshot of each day, in the
     * order given.
     * @param event of the first of them, published if it is stored; null: nothing publishes events
     */
    async saveFirst(
      chartId: string,
      fresh: readonly ChartSnapshot[],
      event: NewEvent | null,
    ): Promise<ChartSnapshot[]> {
      const [first, ...others] = fresh.map((snapshot) => toDocument(chartId, snapshot));
      if (!first) return [];
      const outbox = event && outboxInsert(event, event.stored.at);
      const existingIds = await insertNew(snapshots.collection, [{ ...first, ...outbox }, ...others]);
      return Promise.all(
        fresh.map(async (snapshot) => {
          if (!existingIds.has(idOf(chartId, snapshot.day))) return snapshot;
          const stored = await find(chartId, snapshot.day);
          return stored ? toSnapshot(stored) : snapshot;
        }),
      );
    },

    /** Sets the ratings of a snapshot that has none; otherwise changes nothing. `rows` are all its rows, by rank. */
    async setRatings(chartId: string, day: string, rows: readonly ChartRow[]): Promise<void> {
      await snapshots.updateOne(
        { _id: idOf(chartId, day), has_ratings: false },
        { $set: { ratings: rows.map(({ rating }) => rating), has_ratings: true } },
      );
    },

    /** Deletes a batch of snapshots of days before `day`; see `deleteBatch`. Index: day. */
    deleteBefore: (day: string) => deleteBatch(snapshots, { day: { $lt: day } }, { day: 1 }),
  };
}

function toDocument(chartId: string, { rows, ...snapshot }: ChartSnapshot): SnapshotDocument {
  return {
    _id: idOf(chartId, snapshot.day),
    ...snapshot,
    titles: rows.map(({ title }) => title),
    icons: rows.map(({ icon }) => icon),
    developers: rows.map(({ developer }) => developer),
    ratings: rows.map(({ rating }) => rating),
    prices: rows.map(({ price }) => price),
    currencies: rows.map(({ currency }) => currency),
    has_ratings: hasRatings({ rows }),
  };
}

function toSnapshot(document: SnapshotDocument): ChartSnapshot {
  const { titles, icons, developers, ratings, prices, currencies } = document;
  return {
    day: document.day,
    read_at: document.read_at,
    source: document.source,
    app_ids: document.app_ids,
    rows: document.app_ids.map((_, index) => ({
      title: titles[index] ?? null,
      icon: icons[index] ?? null,
      developer: developers[index] ?? null,
      rating: ratings[index] ?? null,
      price: prices[index] ?? null,
      currency: currencies[index] ?? null,
    })),
  };
}

function idOf(chartId: string, day: string): string {
  return `${chartId}:${day}`;
}
