import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteAll, deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';

/** One prefix that an account queried. */
export type AutocompleteKey = Storefront & {
  account_id: string;
  /** normal form */
  prefix: string;
};

/** The store's last answer, and when it came. */
export type AutocompleteOutcome = { suggestion_count: number; last_queried_at: Date };

export type StoredAutocomplete = AutocompleteKey & AutocompleteOutcome & { _id: number };

const schema = new Schema<StoredAutocomplete>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    prefix: { type: String, required: true },
    suggestion_count: { type: Number, required: true },
    last_queried_at: { type: Date, required: true },
  },
  { versionKey: false },
)
  .index({ account_id: 1, store: 1, country: 1, lang: 1, prefix: 1 }, { unique: true })
  .index({ account_id: 1, last_queried_at: 1, _id: 1 })
  .index({ last_queried_at: 1 });

export type AutocompleteStore = ReturnType<typeof createAutocompleteStore>;

/** The autocomplete history: one row per account, storefront and prefix. */
export function createAutocompleteStore(connection: Connection, counters: CounterStore<'autocomplete'>) {
  const autocompletes = connection.model('Autocomplete', schema, 'autocompletes');

  /** Updates an existing row; false when there is none. Index: account_id, store, country, lang, prefix. */
  async function update(key: AutocompleteKey, outcome: AutocompleteOutcome): Promise<boolean> {
    const { matchedCount } = await autocompletes.updateOne(key, { $set: outcome });
    return matchedCount === 1;
  }

  return {
    /** Creates the row of a query, or updates it, which moves it to the top of the list. */
    async save(key: AutocompleteKey, outcome: AutocompleteOutcome): Promise<void> {
      if (await update(key, outcome)) return;
      const _id = await counters.take('autocomplete', 1);
      try {
        await autocompletes.create({ _id, ...key, ...outcome });
      } catch (error) {
        // A duplicate: another request has just created the row.
        if (!isDuplicateKey(error) || !(await update(key, outcome))) throw error;
      }
    },

    /** Newest first, with a total order so that pages never overlap. Index: account_id, last_queried_at, _id. */
    list: (accountId: string, page: { skip: number; limit: number }) =>
      autocompletes
        .find({ account_id: accountId })
        .sort({ last_queried_at: -1, _id: -1 })
        .skip(page.skip)
        .limit(page.limit)
        .lean<StoredAutocomplete[]>(),

    /** Deletes a batch of rows from before `before`; see `deleteBatch`. Index: last_queried_at. */
    deleteBefore: (before: Date) =>
      deleteBatch(connection, 'autocompletes', { last_queried_at: { $lt: before } }, { last_queried_at: 1 }),

    /** Deletes the rows of an account until the signal fires. Index: account_id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(connection, 'autocompletes', { account_id: accountId }, signal),

    /** Index: account_id, last_queried_at, _id. */
    count: (accountId: string) => autocompletes.countDocuments({ account_id: accountId }),
  };
}
