import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteAll, deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
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

  /** Returns false when the account never inspected this query. Index: account_id, store, country, lang, keyword. */
  async function update(query: InspectionQuery, scores: InspectionScores, at: Date): Promise<boolean> {
    const { matchedCount } = await inspections.updateOne(query, {
      $set: { ...scores, last_inspected_at: at },
    });
    return matchedCount === 1;
  }

  return {
    /** Creates the row of a query, or updates its scores and moves it to the top of the history. */
    async save(query: InspectionQuery, scores: InspectionScores, at: Date): Promise<void> {
      if (await update(query, scores, at)) return;
      const _id = await counters.take('inspection', 1);
      try {
        await inspections.create({ _id, ...query, ...scores, last_inspected_at: at });
      } catch (error) {
        if (!isDuplicateKey(error) || !(await update(query, scores, at))) throw error;
      }
    },

    /** Newest first; the order is total, so that pages never overlap. Index: account_id, last_inspected_at, _id. */
    list: (accountId: string, page: { skip: number; limit: number }) =>
      inspections
        .find({ account_id: accountId })
        .sort({ last_inspected_at: -1, _id: -1 })
        .skip(page.skip)
        .limit(page.limit)
        .lean<StoredInspection[]>(),

    /** Deletes a batch of rows from before `before`; see `deleteBatch`. Index: last_inspected_at. */
    deleteBefore: (before: Date) =>
      deleteBatch(
        connection,
        'inspections',
        { last_inspected_at: { $lt: before } },
        { last_inspected_at: 1 },
      ),

    /** Deletes the rows of an account until the signal fires. Index: account_id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(connection, 'inspections', { account_id: accountId }, signal),

    /** Index: account_id, last_inspected_at, _id. */
    count: (accountId: string) => inspections.countDocuments({ account_id: accountId }),
  };
}
