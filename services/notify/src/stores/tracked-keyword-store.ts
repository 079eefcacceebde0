import type { BulkWriteCounts } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { ofAccount } from '@shelfwise/runtime/mongo/of-account';
import { streamFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { upsertAllNewest } from '@shelfwise/runtime/mongo/upsert-all-newest';
import { type Connection, Schema } from 'mongoose';

/**
 * Whether an account tracks a keyword for an application, and whether it is a favorite: each according to its newest
 * event.
 */
export type TrackedKeyword = {
  /** `<account>:<listing>:<keyword id>` */
  _id: string;
  account_id: string;
  listing_id: number;
  keyword_id: number;
  active?: boolean;
  /** time of the event that says so */
  at?: Date;
  is_favorite?: boolean;
  favorite_at?: Date;
};

export type TrackedKeywordKey = Pick<TrackedKeyword, 'account_id' | 'listing_id' | 'keyword_id'>;

/** A row that is active. */
export type ActiveKeyword = TrackedKeywordKey & { at: Date; is_favorite?: boolean };

const activeFields = {
  account_id: 'value',
  listing_id: 'value',
  keyword_id: 'value',
  at: 'value',
  is_favorite: 'value',
} as const;

const schema = new Schema<TrackedKeyword>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    keyword_id: { type: Number, required: true },
    active: Boolean,
    at: Date,
    is_favorite: Boolean,
    favorite_at: Date,
  },
  { versionKey: false },
).index({ keyword_id: 1, active: 1, _id: 1 });

/** Of one query. */
const rowsPerPage = 1000;

export type TrackedKeywordStore = ReturnType<typeof createTrackedKeywordStore>;

/** Which keywords accounts track for which application. Events may arrive twice and in any order. */
export function createTrackedKeywordStore(connection: Connection) {
  const trackedKeywords = connection.model('TrackedKeyword', schema, 'tracked_keywords');

  /** In one command, unless a newer row exists or is just being created (`upsertAllNewest`). Index: _id. */
  async function save(
    changes: readonly { key: TrackedKeywordKey; version: 'at' | 'favorite_at'; at: Date; set: object }[],
  ): Promise<BulkWriteCounts | null> {
    const upserts = changes.map(({ key, version, at, set }) => ({
      filter: {
        _id: `${key.account_id}:${key.listing_id}:${key.keyword_id}`,
        [version]: { $not: { $gt: at } },
      },
      update: {
        $set: {
          account_id: key.account_id,
          listing_id: key.listing_id,
          keyword_id: key.keyword_id,
          [version]: at,
          ...set,
        },
      },
    }));
    return upsertAllNewest(trackedKeywords, upserts);
  }

  return {
    saveTracked: (changes: readonly { key: TrackedKeywordKey; active: boolean; at: Date }[]) =>
      save(changes.map(({ key, active, at }) => ({ key, version: 'at', at, set: { active } }))),

    saveFavorites: (changes: readonly { key: TrackedKeywordKey; isFavorite: boolean; at: Date }[]) =>
      save(
        changes.map(({ key, isFavorite, at }) => ({
          key,
          version: 'favorite_at',
          at,
          set: { is_favorite: isFavorite },
        })),
      ),

    /** The rows of these keywords (200 at most), of all accounts, in batches. Index: keyword_id, active, _id. */
    async *listTrackers(keywordIds: readonly number[]): AsyncGenerator<ActiveKeyword[]> {
      const filter = { keyword_id: { $in: keywordIds }, active: true };
      const options = { fields: activeFields, batchSize: rowsPerPage };
      let rows: ActiveKeyword[] = [];
      for await (const row of streamFields<ActiveKeyword>(trackedKeywords, filter, options)) {
        rows.push(row);
        if (rows.length < rowsPerPage) continue;
        yield rows;
        rows = [];
      }
      if (rows.length > 0) yield rows;
    },

    /** What an account tracks, in batches. Index: _id. */
    async *listOfAccount(accountId: string): AsyncGenerator<ActiveKeyword[]> {
      for (let after = `${accountId}:`, isLast = false; !isLast; ) {
        const rows: (ActiveKeyword & { _id: string })[] = await trackedKeywords
          // A semicolon follows a colon.
          .find({ _id: { $gt: after, $lt: `${accountId};` }, active: true })
          .sort({ _id: 1 })
          .limit(rowsPerPage)
          .select({ account_id: 1, listing_id: 1, keyword_id: 1, at: 1, is_favorite: 1 })
          .lean<(ActiveKeyword & { _id: string })[]>();
        if (rows.length > 0) yield rows;
        isLast = rows.length < rowsPerPage;
        after = rows.at(-1)?._id ?? after;
      }
    },

    /** Deletes the rows of an account until the signal fires. Index: _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(trackedKeywords, ofAccount(accountId), signal),
  };
}
