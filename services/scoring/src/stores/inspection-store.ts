import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createAccountHistory } from '@shelfwise/runtime/mongo/account-history';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { updateOrCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';

/** What an account inspected; the history has one row for each. */
export type InspectionQuery = Storefront & {
  account_id: string;
  /** normal form */
  keyword: string;
};

/** The scores of the last inspection, 0 to 100; null: could not be computed. */
export type InspectionScores = {
  difficulty_score: number | null;
  traffic_score: number | null;
  /** The traffic was computed without the store's suggestions. */
  is_partial: boolean;
  /** When they were computed; null: no score is known. */
  scored_at: Date | null;
};

export type StoredInspection = InspectionQuery & InspectionScores & { _id: number; last_inspected_at: Date };

const schema = new Schema<StoredInspection>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    keyword: { type: String, required: true },
    difficulty_score: { type: Number, default: null },
    traffic_score: { type: Number, default: null },
    is_partial: { type: Boolean, required: true },
    scored_at: { type: Date, default: null },
    last_inspected_at: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, store: 1, country: 1, lang: 1, keyword: 1 }, { unique: true })
  .index({ account_id: 1, last_inspected_at: 1, _id: 1 })
  .index({ last_inspected_at: 1 });

export type InspectionStore = ReturnType<typeof createInspectionStore>;

/** The history of inspections: one row per account and query. */
export function createInspectionStore(connection: Connection, counters: CounterStore<'inspection'>) {
  const inspections = connection.model('Inspection', schema, 'inspections');

  return {
    ...createAccountHistory<StoredInspection>(inspections, 'last_inspected_at'),

    /**
     * Creates the row of a query, or updates its scores and moves it to the top of the history. Index: account_id, store,
     * country, lang, keyword.
     */
    async save(query: InspectionQuery, scores: InspectionScores, at: Date): Promise<void> {
      const outcome = { ...scores, last_inspected_at: at };
      await updateOrCreate<unknown>(
        async () => (await inspections.updateOne(query, { $set: outcome })).matchedCount === 1,
        async () => inspections.create({ _id: await counters.take('inspection', 1), ...query, ...outcome }),
      );
    },
  };
}
