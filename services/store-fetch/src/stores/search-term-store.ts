import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';

/** What is remembered of a term's result pages in one storefront. */
export type SearchTerm = {
  term: string;
  /** The number of results on the last page that was believed, at most 200; null: there is none. */
  last_size: number | null;
  /** When that page was read; null: there is none. */
  last_read_at: Date | null;
  /** When a page with results was last read; null: never. */
  results_at: Date | null;
  /** The UTC day on which the page was found shrunk by two thirds; null: it is not. */
  shrunk_on: string | null;
  /** Looks at an empty page, each followed by a canary with results; oldest first, at most three. */
  looks: Date[];
  /** When the term was last found not to be suggested; null: never, or it is suggested. */
  unsuggested_at: Date | null;
};

/** `_id` is `<storefrontKey> <term>`. */
type SearchTermDocument = SearchTerm & { _id: string; storefront: string; changed_at: Date };

const schema = new Schema<SearchTermDocument>(
  {
    _id: { type: String, required: true },
    storefront: { type: String, required: true },
    term: { type: String, required: true },
    last_size: { type: Number, default: null },
    last_read_at: { type: Date, default: null },
    results_at: { type: Date, default: null },
    shrunk_on: { type: String, default: null },
    looks: { type: [Date], required: true },
    unsuggested_at: { type: Date, default: null },
    changed_at: { type: Date, required: true },
  },
  { versionKey: false },
)
  .index({ storefront: 1, results_at: 1 })
  .index({ changed_at: 1 });

export type SearchTermStore = {
  /** Null when nothing is remembered of the term. */
  find(storefront: Storefront, term: string): Promise<SearchTerm | null>;
  save(storefront: Storefront, term: SearchTerm, at: Date): Promise<void>;
  /** Up to `limit` terms of the storefront whose page had results at or after `since`, most recent first. */
  listWithResults(storefront: Storefront, since: Date, limit: number): Promise<SearchTerm[]>;
};

/** The terms that were searched in live stores, one row of about 200 bytes per storefront and term. */
export function createSearchTermStore(connection: Connection) {
  const terms = connection.model('SearchTerm', schema, 'search_terms');

  return {
    /** Index: _id. */
    find: (storefront, term) =>
      terms.findById(idOf(storefront, term)).lean<SearchTermDocument>().exec() as Promise<SearchTerm | null>,

    /** Replaces what is remembered; of two copies that write at the same time, the last one wins. Index: _id. */
    async save(storefront, { term, ...known }, at) {
      const { last_size, last_read_at, results_at, shrunk_on, looks, unsuggested_at } = known;
      const fields = { last_size, last_read_at, results_at, shrunk_on, looks, unsuggested_at };
      const $set = { ...fields, storefront: storefrontKey(storefront), term, changed_at: at };
      await retryUpsert(() =>
        terms.updateOne({ _id: idOf(storefront, term) }, { $set }, { upsert: true }).exec(),
      );
    },

    /** Index: storefront, results_at. */
    listWithResults: (storefront, since, limit) =>
      terms
        .find({ storefront: storefrontKey(storefront), results_at: { $gte: since } })
        .sort({ results_at: -1 })
        .limit(limit)
        .lean<SearchTermDocument[]>()
        .exec() as Promise<SearchTerm[]>,

    /** Deletes a batch of rows that have not changed since `before`; see `deleteBatch`. Index: changed_at. */
    deleteBefore: (before: Date): Promise<number> =>
      deleteBatch(terms, { changed_at: { $lt: before } }, { changed_at: 1 }),
  } satisfies SearchTermStore & Record<string, unknown>;
}

/** What is remembered of a term that was never searched. */
export function newSearchTerm(term: string): SearchTerm {
  return {
    term,
    last_size: null,
    last_read_at: null,
    results_at: null,
    shrunk_on: null,
    looks: [],
    unsuggested_at: null,
  };
}

function idOf(storefront: Storefront, term: string): string {
  return `${storefrontKey(storefront)} ${term}`;
}
