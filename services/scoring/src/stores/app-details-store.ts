import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
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

/** The most pages whose details one query reads: some 100 KB. */
const pagesPerFind = 50;
/** The most pages whose details are written together, in commands of 50 apps. */
const pagesPerWrite = 20;

/** What was read for one page, and when it is saved. */
type ReadDetails = { rows: readonly AppDetailsDocument[]; at: Date };

export type AppDetailsStore = ReturnType<typeof createAppDetailsStore>;

/**
 * Details of Google Play apps by storefront, read once for all keywords that an app ranks for; some 200 bytes each. Calls
 * that are made at the same time share their commands.
 */
export function createAppDetailsStore(connection: Connection) {
  const appDetails = connection.model('AppDetails', schema, 'app_details');
  const idOf = (storefront: Storefront, appId: string) => `${storefrontKey(storefront)}:${appId}`;

  const findTogether = createBatches<readonly string[], ReadonlyMap<string, AppDetailsDocument>>({
    maxItems: pagesPerFind,
    async run(pages) {
      const rows = await appDetails
        .find({ _id: { $in: [...new Set(pages.flat())] } })
        .lean<AppDetailsDocument[]>();
      const byId = new Map(rows.map((row) => [row._id, row]));
      return pages.map(() => byId);
    },
  });

  /** Deletes expired rows in batches until none is left, or more than `added` of them. */
  async function deleteExpired(before: Date, added: number): Promise<void> {
    for (let deleted = 0; deleted <= added; ) {
      const found = await deleteBatch(appDetails, { read_at: { $lt: before } }, { read_at: 1 });
      if (found === 0) return;
      deleted += found;
    }
  }

  const saveTogether = createBatches({
    maxItems: pagesPerWrite,
    async run(pages: readonly ReadDetails[]): Promise<undefined[]> {
      // An app on several pages is written once, as it was read last.
      const rowById = new Map(pages.flatMap(({ rows }) => rows.map((row) => [row._id, row] as const)));
      const updates = [...rowById.values()].map(({ _id, ...row }) => ({
        updateOne: { filter: { _id }, update: { $set: row }, upsert: true },
      }));
      await retryUpsert(() => bulkWriteInChunks(appDetails, updates));
      const at = Math.max(...pages.map((page) => page.at.getTime()));
      await deleteExpired(new Date(at - retentionMs), rowById.size);
      return pages.map(() => undefined);
    },
  });

  return {
    model: appDetails,

    /** By store identifier; apps that were never read are missing. Index: _id. */
    async findMany(storefront: Storefront, appIds: readonly string[]): Promise<Map<string, AppDetails>> {
      const byId = await findTogether(appIds.map((appId) => idOf(storefront, appId)));
      return new Map(
        appIds.flatMap((appId) => {
          const row = byId.get(idOf(storefront, appId));
          return row ? [[appId, toAppDetails(appId, row)] as const] : [];
        }),
      );
    },

    /**
     * Stores what was read, and deletes expired rows, more than it adds, so that they never pile up. Indexes: _id,
     * read_at.
     */
    async save(storefront: Storefront, details: readonly AppDetails[], at: Date): Promise<void> {
      const rows = details.map(({ app_id: appId, ...row }) => ({ _id: idOf(storefront, appId), ...row }));
      await saveTogether({ rows, at });
    },
  };
}

function toAppDetails(appId: string, { _id, ...row }: AppDetailsDocument): AppDetails {
  return { app_id: appId, ...row };
}
