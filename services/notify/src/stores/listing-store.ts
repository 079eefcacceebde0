import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import type { AlertApp } from '../domain/alert.ts';
import type { KeptListing } from '../domain/listing-change.ts';

type ListingDocument = Omit<KeptListing, 'id'> & { _id: number };

const schema = new Schema<ListingDocument>(
  {
    _id: { type: Number, required: true },
    app_id: { type: String, required: true },
    title: { type: String, default: null },
    subtitle: { type: String, default: null },
    version: { type: String, default: null },
    score: { type: Number, default: null },
    score_day: { type: String, default: null },
    chart_id: { type: String, default: null },
    revision: { type: Number, required: true },
    day: { type: String, required: true },
  },
  { versionKey: false },
).index({ chart_id: 1, _id: 1 });

/** Of one query. */
const rowsPerPage = 500;

export type ListingStore = ReturnType<typeof createListingStore>;

/** The newest reading of each listing that an account tracks, or has as a competitor. Shared by all accounts. */
export function createListingStore(connection: Connection) {
  const listings = connection.model('Listing', schema, 'listings');

  return {
    /** Index: _id. */
    async find(id: number): Promise<KeptListing | null> {
      const row = await listings.findById(id).lean<ListingDocument>();
      if (!row) return null;
      const { _id, ...listing } = row;
      // Rows of an earlier version have no chart until the next reading that differs.
      return { id: _id, ...listing, chart_id: listing.chart_id ?? null };
    },

    /** The charts of listings, each once; of those whose chart is not known none. Index: _id. */
    async findCharts(ids: readonly number[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await listings
        .find({ _id: { $in: ids } })
        .select({ chart_id: 1 })
        .lean<Pick<ListingDocument, 'chart_id'>[]>();
      return new Set(rows.flatMap(({ chart_id: chartId }) => chartId ?? []));
    },

    /** The apps whose chart it is, in batches. Index: chart_id, _id. */
    async *listOfChart(chartId: string): AsyncGenerator<AlertApp[]> {
      for (let after = 0, isLast = false; !isLast; ) {
        const rows: Pick<ListingDocument, '_id' | 'app_id' | 'title'>[] = await listings
          .find({ chart_id: chartId, _id: { $gt: after } })
          .sort({ chart_id: 1, _id: 1 })
          .limit(rowsPerPage)
          .select({ app_id: 1, title: 1 })
          .lean();
        if (rows.length > 0) yield rows.map(({ _id: id, app_id, title }) => ({ id, app_id, title }));
        isLast = rows.length < rowsPerPage;
        after = rows.at(-1)?._id ?? after;
      }
    },

    /** By internal app id; one that is not known is left out. Index: _id. */
    async findApps(ids: readonly number[]): Promise<Map<number, AlertApp>> {
      if (ids.length === 0) return new Map();
      const rows = await listings
        .find({ _id: { $in: [...new Set(ids)] } })
        .select({ app_id: 1, title: 1 })
        .lean<Pick<ListingDocument, '_id' | 'app_id' | 'title'>[]>();
      return new Map(rows.map(({ _id: id, app_id, title }) => [id, { id, app_id, title }]));
    },

    /** Unless one is kept: `saveNewest` is for a change, which may still be on its way. Index: _id. */
    async saveFirst({ id, ...listing }: KeptListing): Promise<void> {
      await insertNew(listings.collection, [{ _id: id, ...listing }]);
    },

    /** Unless this revision or a newer one is kept. Index: _id. */
    async saveNewest({ id, ...listing }: KeptListing): Promise<void> {
      await upsertNewest(() =>
        listings.updateOne(
          { _id: id, revision: { $lt: listing.revision } },
          { $set: listing },
          { upsert: true },
        ),
      );
    },
  };
}
