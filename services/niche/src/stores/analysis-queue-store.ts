import type { Store } from '@shelfwise/facts/stores/store';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import type { AnalysisQueue } from '../domain/analysis-queue.ts';

/** `version` grows with each change: a change succeeds only on the version that it was computed from. */
export type StoredQueue = AnalysisQueue & { _id: Store; version: number };

const schema = new Schema<StoredQueue>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    entries: { type: Schema.Types.Mixed, required: true },
    turns: { type: Schema.Types.Mixed, required: true },
    failures: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false },
);

export type AnalysisQueueStore = ReturnType<typeof createAnalysisQueueStore>;

/**
 * The running and waiting analyses of each store, one document of about 100 entries and 50 failures at most. All queries use
 * `_id`.
 */
export function createAnalysisQueueStore(connection: Connection) {
  const queues = connection.model('AnalysisQueue', schema, 'analysis_queues');
  return {
    async find(store: Store): Promise<StoredQueue> {
      const stored = await queues.findById(store).lean<StoredQueue>();
      return { version: 0, entries: [], turns: [], failures: [], ...stored, _id: store };
    },

    /** Stores a changed queue. False when another change came first: nothing is changed then. */
    async replace({ _id, version, ...content }: StoredQueue): Promise<boolean> {
      const next = { ...content, version: version + 1 };
      if (version === 0) return tryCreate(() => queues.create({ _id, ...next }));
      return (await queues.replaceOne({ _id, version }, next)).matchedCount === 1;
    },
  };
}
