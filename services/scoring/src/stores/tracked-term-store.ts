import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { BulkWriteCounts } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { ofAccount } from '@shelfwise/runtime/mongo/of-account';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { upsertAllNewest } from '@shelfwise/runtime/mongo/upsert-all-newest';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

/**
 * Whether an account tracks a keyword for an app, according to its newest event. The untracked event does not name
 * the keyword, so a row that it created has none.
 */
export type TrackedTerm = {
  /** `<account>:<listing>:<keyword id>` */
  _id: string;
  listing_id: number;
  active: boolean;
  /** time of that event */
  at: Date;
  store?: Store;
  country?: string;
  lang?: string;
  /** normal form */
  keyword?: string;
};

export type TrackedTermKey = { account_id: string; listing_id: number; keyword_id: number };

/** An account has started (with the term) or stopped to track a keyword. */
export type TrackedTermChange = {
  key: TrackedTermKey;
  active: boolean;
  at: Date;
  term?: Storefront & { keyword: string };
};

const schema = new Schema<TrackedTerm>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    active: { type: Boolean, required: true },
    at: { type: Date, required: true },
    store: String,
    country: String,
    lang: String,
    keyword: String,
  },
  { versionKey: false },
)
  .index({ listing_id: 1, active: 1, at: 1 })
  .index({ store: 1, country: 1, lang: 1, keyword: 1, active: 1 });

/**
 * How many rows are read to find the distinct keywords tracked longest: many accounts may track the same ones for an
 * app.
 */
const rowsPerQuery = 1000;

export type TrackedTermStore = ReturnType<typeof createTrackedTermStore>;

/**
 * Which keywords accounts track for which listing: the first terms of the listing's basket. The newest event of each
 * row wins.
 */
export function createTrackedTermStore(connection: Connection) {
  const trackedTerms = connection.model('TrackedTerm', schema, 'tracked_terms');

  /** In the order of their keys; null where only the event that it is not tracked any more has come. */
  async function findKeywords(keys: readonly TrackedTermKey[]): Promise<(string | null)[]> {
    const ids = keys.map(idOf);
    const rows = await findFields<Pick<TrackedTerm, '_id' | 'keyword'>>(
      trackedTerms,
      { _id: { $in: ids } },
      { fields: { _id: 'value', keyword: 'value' } },
    );
    const byId = new Map(rows.map(({ _id, keyword }) => [_id, keyword]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  const toUpsert = ({ key, active, at, term }: TrackedTermChange) => ({
    filter: { _id: idOf(key), at: { $lte: at } },
    update: { $set: { listing_id: key.listing_id, active, at, ...term } },
  });

  return {
    /** In one command, unless a newer row exists or is just being created (`upsertAllNewest`). Index: _id. */
    async save(changes: readonly TrackedTermChange[]): Promise<BulkWriteCounts | null> {
      return upsertAllNewest(trackedTerms, changes.map(toUpsert));
    },

    /**
     * As `save`, of keywords that are not tracked any more: their events do not name them. Returns them, in the order of the changes;
     * null where only that event has come. One command for one change, two for more, or where a newer row exists. Index: _id.
     */
    async saveRemoved(
      changes: readonly Omit<TrackedTermChange, 'active' | 'term'>[],
    ): Promise<(string | null)[]> {
      const removed = changes.map((change) => ({ ...change, active: false }));
      const [only, ...others] = removed;
      if (only && others.length === 0) {
        const { filter, update } = toUpsert(only);
        const options = { upsert: true, returnDocument: 'after' } as const;
        const saved: (TrackedTerm | null)[] = [];
        await upsertNewest(async () =>
          saved.push(await trackedTerms.findOneAndUpdate(filter, update, options).lean<TrackedTerm>()),
        );
        if (saved.length > 0) return [saved[0]?.keyword ?? null];
      } else await upsertAllNewest(trackedTerms, removed.map(toUpsert));
      return findKeywords(removed.map(({ key }) => key));
    },

    /** Deletes the rows of an account until the signal fires. Index: _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(trackedTerms, ofAccount(accountId), signal),

    /** The keywords that an account tracks for a listing, the one tracked longest first. Index: _id. */
    async listOfAccount(accountId: string, listingId: number, limit: number): Promise<string[]> {
      const rows = await trackedTerms
        .find({ ...ofAccount(`${accountId}:${listingId}`), active: true })
        .limit(rowsPerQuery)
        .select({ keyword: 1, at: 1 })
        .lean<Pick<TrackedTerm, '_id' | 'keyword' | 'at'>[]>();
      const first = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1));
      return first.flatMap(({ keyword }) => keyword ?? []).slice(0, limit);
    },

    /** Which of the keywords an account tracks for a listing. Index: _id, the rows of the account and listing. */
    async findOfAccount(
      accountId: string,
      listingId: number,
      keywords: readonly string[],
    ): Promise<Set<string>> {
      if (keywords.length === 0) return new Set();
      const rows = await trackedTerms
        .find({ ...ofAccount(`${accountId}:${listingId}`), active: true, keyword: { $in: keywords } })
        .limit(rowsPerQuery)
        .select({ keyword: 1 })
        .lean<Pick<TrackedTerm, 'keyword'>[]>();
      return new Set(rows.flatMap(({ keyword }) => keyword ?? []));
    },

    /**
     * What an account tracks in a storefront, for one listing or for any: the ids by keyword, of at most `limit` rows, and whether
     * there are more. Of a keyword that it tracks for several listings, one id. Index: _id, the rows of the account, and of the
     * listing if there is one; some 200 bytes each.
     */
    async findKeywordIds(
      { account_id: accountId, listing_id: listingId }: { account_id: string; listing_id?: number },
      { store, country, lang }: Storefront,
      limit: number,
    ): Promise<{ ids: Map<string, number>; isCut: boolean }> {
      const owner = listingId === undefined ? accountId : `${accountId}:${listingId}`;
      const rows = await findFields<Pick<TrackedTerm, '_id' | 'keyword'>>(
        trackedTerms,
        { ...ofAccount(owner), active: true, store, country, lang },
        { limit: limit + 1, fields: { _id: 'value', keyword: 'value' } },
      );
      const ids = rows
        .slice(0, limit)
        .flatMap(({ _id, keyword }) =>
          keyword === undefined ? [] : [[keyword, Number(_id.slice(_id.lastIndexOf(':') + 1))] as const],
        );
      return { ids: new Map(ids), isCut: rows.length > limit };
    },

    /** The distinct keywords tracked for a listing, the one tracked longest first. Index: listing_id, active, at. */
    async listKeywords(listingId: number, limit: number): Promise<string[]> {
      const rows = await findFields<Pick<TrackedTerm, 'keyword'>>(
        trackedTerms,
        { listing_id: listingId, active: true },
        { sort: { at: 1, _id: 1 }, limit: rowsPerQuery, fields: { keyword: 'value' } },
      );
      const keywords = new Set(rows.flatMap(({ keyword }) => keyword ?? []));
      return [...keywords].slice(0, limit);
    },

    /**
     * Returns which of the keywords (some hundred at most) any account tracks for any app. Index: store, country,
     * lang, keyword, active.
     */
    async findTracked(storefront: Storefront, keywords: readonly string[]): Promise<Set<string>> {
      if (keywords.length === 0) return new Set();
      const filter = { ...storefront, keyword: { $in: keywords }, active: true };
      const tracked = await trackedTerms.distinct('keyword', filter);
      return new Set(tracked.flatMap((keyword) => keyword ?? []));
    },
  };
}

function idOf(key: TrackedTermKey): string {
  return `${key.account_id}:${key.listing_id}:${key.keyword_id}`;
}
