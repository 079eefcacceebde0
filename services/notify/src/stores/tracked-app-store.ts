import type { Store } from '@shelfwise/facts/stores/store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { ofAccount } from '@shelfwise/runtime/mongo/of-account';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

/** Whether an account tracks an application, according to its newest event. */
export type TrackedApp = {
  /** `<account>:<listing>` */
  _id: string;
  account_id: string;
  listing_id: number;
  /** Absent until the application is tracked. */
  store?: Store;
  active: boolean;
  /** time of that event */
  at: Date;
};

const schema = new Schema<TrackedApp>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    store: String,
    active: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
)
  .index({ listing_id: 1, active: 1, _id: 1 })
  .index({ store: 1, active: 1, _id: 1 });

/** Of one query. */
const rowsPerPage = 500;

export type ActiveApp = Pick<TrackedApp, 'account_id' | 'listing_id' | 'at'>;

export type TrackedAppStore = ReturnType<typeof createTrackedAppStore>;

/** Which account tracks which application. Events may arrive twice and in any order: the newest one wins. */
export function createTrackedAppStore(connection: Connection) {
  const trackedApps = connection.model('TrackedApp', schema, 'tracked_apps');

  return {
    /** Unless a newer event is stored. Index: _id. */
    async save(tracked: Omit<TrackedApp, '_id'>): Promise<void> {
      const _id = `${tracked.account_id}:${tracked.listing_id}`;
      await upsertNewest(() =>
        trackedApps.updateOne({ _id, at: { $lte: tracked.at } }, { $set: tracked }, { upsert: true }),
      );
    },

    /** The accounts that track an application, and since when, in batches. Index: listing_id, active, _id. */
    async *listTrackers(listingId: number): AsyncGenerator<Pick<TrackedApp, 'account_id' | 'at'>[]> {
      for (let after = '', isLast = false; !isLast; ) {
        const rows: Pick<TrackedApp, '_id' | 'account_id' | 'at'>[] = await trackedApps
          .find({ listing_id: listingId, active: true, _id: { $gt: after } })
          .sort({ listing_id: 1, active: 1, _id: 1 })
          .limit(rowsPerPage)
          .select({ account_id: 1, at: 1 })
          .lean();
        if (rows.length > 0) yield rows;
        isLast = rows.length < rowsPerPage;
        after = rows.at(-1)?._id ?? after;
      }
    },

    /** Which accounts track which of these applications (200 at most), and since when, in batches. Index: listing_id, active, _id. */
    async *listTrackersOf(listingIds: readonly number[]): AsyncGenerator<ActiveApp[]> {
      const cursor = trackedApps
        .find({ listing_id: { $in: listingIds }, active: true })
        .select({ account_id: 1, listing_id: 1, at: 1 })
        .lean<ActiveApp[]>()
        .batchSize(rowsPerPage)
        .cursor();
      let rows: ActiveApp[] = [];
      for await (const row of cursor) {
        rows.push(row as unknown as ActiveApp);
        if (rows.length < rowsPerPage) continue;
        yield rows;
        rows = [];
      }
      if (rows.length > 0) yield rows;
    },

    /** In which store each application is that the account tracks, by internal app id. Index: _id. */
    async findStores(accountId: string): Promise<Map<number, Store>> {
      const rows = await trackedApps
        .find({ ...ofAccount(accountId), active: true })
        .select({ listing_id: 1, store: 1 })
        .lean<Pick<TrackedApp, 'listing_id' | 'store'>[]>();
      return new Map(rows.flatMap((row) => (row.store ? [[row.listing_id, row.store] as const] : [])));
    },

    /** The accounts that track an application in a store, each once, in batches. Index: store, active, _id. */
    async *listAccounts(store: Store): AsyncGenerator<string[]> {
      for (let after = '', last = '', isLast = false; !isLast; ) {
        const rows: Pick<TrackedApp, '_id' | 'account_id'>[] = await trackedApps
          .find({ store, active: true, _id: { $gt: after } })
          .sort({ store: 1, active: 1, _id: 1 })
          .limit(rowsPerPage)
          .select({ account_id: 1 })
          .lean();
        // The rows of an account follow each other: their ids begin with it.
        const accountIds = new Set(rows.map((row) => row.account_id));
        accountIds.delete(last);
        if (accountIds.size > 0) yield [...accountIds];
        isLast = rows.length < rowsPerPage;
        after = rows.at(-1)?._id ?? after;
        last = rows.at(-1)?.account_id ?? last;
      }
    },

    /** Deletes the rows of an account until the signal fires. Index: _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(trackedApps, ofAccount(accountId), signal),
  };
}
