import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createAccountHistory } from '@shelfwise/runtime/mongo/account-history';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { updateOrCreate } from '@shelfwise/runtime/mongo/try-create';
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
    ...createAccountHistory<HistoryRow>(rows, 'created_at'),

    /** Whether the account has this analysis in its history. Index: account_id, analysis_id. */
    hasReceived: async (accountId: string, analysisId: number): Promise<boolean> =>
      (await rows.exists({ account_id: accountId, analysis_id: analysisId })) !== null,

    /** Adds the row of an analysis; an existing row stays unchanged. Index: account_id, analysis_id. */
    async save(entry: HistoryEntry, at: Date): Promise<void> {
      await updateOrCreate<unknown>(
        () => rows.exists({ account_id: entry.account_id, analysis_id: entry.analysis_id }),
        async () => rows.create({ _id: await counters.take('niche', 1), ...entry, created_at: at }),
      );
    },
  };
}
