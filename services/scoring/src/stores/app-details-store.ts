import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { dayMs } from '@shelfwise/runtime/day';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';

/** What an app's own page shows and Google Play's result pages do not. Null: not stated; all null: not in the store. */
export type AppDetails = {
  app_id: string;
  read_at: Date;
  genre: string | null;
  /** the store's genre key, such as PRODUCTIVITY */
  genre_key: string | null;
  /** average, 0 to 5 */
  rating: number | null;
  /** number of ratings */
  ratings: number | null;
  /** a lower bound */
  installs: number | null;
  updated_at: Date | null;
};

/** `_id`: `<storefrontKey>:<store identifier>` */
type AppDetailsDocument = Omit<AppDetails, 'app_id'> & { _id: string };

const schema = new Schema<AppDetailsDocument>(
  {
    _id: { type: String, required: true },
    read_at: { type: Date, required: true },
    genre: String,
    genre_key: String,
    rating: Number,
    ratings: Number,
    installs: Number,
    updated_at: Date,
  },
  { versionKey: false, minimize: false },
).index({ read_at: 1 });

/** Far longer than details count as fresh: old details are used while the store cannot be read. */
const retentionMs = 30 * dayMs;

export type AppDetailsStore = ReturnType<typeof createAppDetailsStore>;

/** Details of Google Play apps by storefront, read once for all keywords that an app ranks for; some 200 bytes each. */
export function createAppDetailsStore(connection: Connection) {
  const appDetails = connection.model('AppDetails', schema, 'app_details');
  const idOf = (storefront: Storefront, appId: string) => `${storefrontKey(storefront)}:${appId}`;

  return {
    model: appDetails,

    /** By store identifier; apps that were never read are missing. Index: _id. */
    async findMany(storefront: Storefront, appIds: readonly string[]): Promise<Map<string, AppDetails>> {
      const rows = await appDetails
        .find({ _id: { $in: appIds.map((appId) => idOf(storefront, appId)) } })
        .lean<AppDetailsDocument[]>();
      const start = storefrontKey(storefront).length + 1;
      return new Map(rows.map(({ _id, ...row }) => [_id.slice(start), { app_id: _id.slice(start), ...row }]));
    },

    /**
     * Stores what was read, and deletes a batch of expired rows, which is more than it adds, so that expired rows never
     * pile up. Indexes: _id, read_at.
     */
    async save(storefront: Storefront, details: readonly AppDetails[], at: Date): Promise<void> {
      const updates = details.map(({ app_id: appId, ...row }) => ({
        updateOne: { filter: { _id: idOf(storefront, appId) }, update: { $set: row }, upsert: true },
      }));
      await retryUpsert(() => bulkWriteInChunks(appDetails, updates));
      const expired = { read_at: { $lt: new Date(at.getTime() - retentionMs) } };
      await deleteBatch(connection, 'app_details', expired, { read_at: 1 });
    },
  };
}
