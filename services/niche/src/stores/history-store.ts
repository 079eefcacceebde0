import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteAll, deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';

/** An analysis in the history of an account. */
export type HistoryEntry = Storefront & {
  account_id: string;
  analysis_id: number;
  topic: string;
  clusters_count: number;
  /** in all clusters */
  keywords_count: number;
  /** 0 to 100, one decimal; null without clusters */
  top_opportunity_score: number | null;
  /** When the analysis was computed. */
  analyzed_at: Date;
};

/** `_id`: a number from the counter `niche`. */
export type HistoryRow = HistoryEntry & { _id: number; created_at: Date };

const schema = new Schema<HistoryRow>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    analysis_id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    topic: { type: String, required: true },
    clusters_count: { type: Number, required: true },
    keywords_count: { type: Number, required: true },
    top_opportunity_score: { type: Number, default: null },
    analyzed_at: { type: Date, required: true },
    created_at: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, analysis_id: 1 }, { unique: true })
  .index({ account_id: 1, created_at: 1, _id: 1 })
  .index({ created_at: 1 });

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** The history: one row per account and analysis. */
export function createHistoryStore(connection: Connection, counters: CounterStore<'niche'>) {
  const rows = connection.model('HistoryRow', schema, 'niche_history');

  return {
    /** Adds the row of an analysis; an existing row stays unchanged. Index: account_id, analysis_id. */
    async save(entry: HistoryEntry, at: Date): Promise<void> {
      if (await rows.exists({ account_id: entry.account_id, analysis_id: entry.analysis_id })) return;
      const _id = await counters.take('niche', 1);
      try {
        await rows.create({ _id, ...entry, created_at: at });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** Newest first. The order is total, so pages never overlap. Index: account_id, created_at, _id. */
    list: (accountId: string, page: { skip: number; limit: number }) =>
      rows
        .find({ account_id: accountId })
        .sort({ created_at: -1, _id: -1 })
        .skip(page.skip)
        .limit(page.limit)
        .lean<HistoryRow[]>(),

    /** Deletes a batch of rows from before `before`; see `deleteBatch`. Index: created_at. */
    deleteBefore: (before: Date) =>
      deleteBatch(connection, 'niche_history', { created_at: { $lt: before } }, { created_at: 1 }),

    /** Deletes the rows of an account until the signal fires. Index: account_id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(connection, 'niche_history', { account_id: accountId }, signal),

    /** Index: account_id, created_at, _id. */
    count: (accountId: string) => rows.countDocuments({ account_id: accountId }),
  };
}
