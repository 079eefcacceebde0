import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { ofAccount } from '@shelfwise/runtime/mongo/of-account';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

/** Whether an account tracks a listing, according to its newest event. */
export type Watcher = {
  /** `<account>:<listing>` */
  _id: string;
  account_id: string;
  listing_id: number;
  active: boolean;
  /** time of that event */
  at: Date;
};

const schema = new Schema<Watcher>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    active: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
).index({ listing_id: 1, active: 1 });

export type WatcherStore = ReturnType<typeof createWatcherStore>;

/**
 * Which account tracks which listing. Events may arrive twice and in any order: the newest event of an account and
 * listing wins.
 */
export function createWatcherStore(connection: Connection) {
  const watchers = connection.model('Watcher', schema, 'watchers');

  return {
    /**
     * Stores an event unless a newer one is stored. Returns whether the account then tracks the listing. Index: _id.
     */
    async save(watcher: Omit<Watcher, '_id'>): Promise<boolean> {
      const _id = `${watcher.account_id}:${watcher.listing_id}`;
      const isNewest = await upsertNewest(() =>
        watchers.updateOne({ _id, at: { $lte: watcher.at } }, { $set: watcher }, { upsert: true }),
      );
      if (isNewest) return watcher.active;
      return (await watchers.findById(_id).lean<Watcher>())?.active ?? false;
    },

    /** Deletes the rows of an account until the signal fires. Index: _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(watchers, ofAccount(accountId), signal),

    /** Which of the accounts (100 at most) are known to have stopped tracking a listing. Index: _id. */
    async findStopped(listingId: number, accountIds: readonly string[]): Promise<Set<string>> {
      const ids = accountIds.map((accountId) => `${accountId}:${listingId}`);
      const rows = await watchers
        .find({ _id: { $in: ids }, active: false })
        .select({ account_id: 1 })
        .lean<Pick<Watcher, 'account_id'>[]>();
      return new Set(rows.map((row) => row.account_id));
    },

    /** Index: listing_id, active. */
    async isWatched(listingId: number): Promise<boolean> {
      return (await watchers.exists({ listing_id: listingId, active: true })) !== null;
    },
  };
}
