import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createAccountHistory } from '@shelfwise/runtime/mongo/account-history';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { updateOrCreate } from '@shelfwise/runtime/mongo/try-create';
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

  return {
    ...createAccountHistory<StoredAutocomplete>(autocompletes, 'last_queried_at'),

    /**
     * Creates the row of a query, or updates it, which moves it to the top of the list. Index: account_id, store, country,
     * lang, prefix.
     */
    async save(key: AutocompleteKey, outcome: AutocompleteOutcome): Promise<void> {
      await updateOrCreate<unknown>(
        async () => (await autocompletes.updateOne(key, { $set: outcome })).matchedCount === 1,
        async () => autocompletes.create({ _id: await counters.take('autocomplete', 1), ...key, ...outcome }),
      );
    },
  };
}
