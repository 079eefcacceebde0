import type { Store } from '@shelfwise/facts/stores/store';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import { type AnalysisQueue, emptyQueue } from '../domain/analysis-queue.ts';

/** `version` grows with each change: a change succeeds only on the version that it was computed from. */
export type StoredQueue = AnalysisQueue & { _id: Store; version: number };

const schema = new Schema<StoredQueue>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    last: { type: Number, required: true },
    entries: { type: Schema.Types.Mixed, required: true },
    served: { type: Schema.Types.Mixed, required: true },
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
    async find(store: Store): Promise<AnalysisQueue & { version: number }> {
      const stored = await queues.findById(store).lean<StoredQueue>();
      return stored ?? { ...emptyQueue, version: 0 };
    },

    /** False when another change came first: nothing is changed then. */
    async replace(store: Store, version: number, queue: AnalysisQueue): Promise<boolean> {
      const { last, entries, served, failures } = queue;
      const content = { version: version + 1, last, entries, served, failures };
      if (version > 0) {
        const { matchedCount } = await queues.replaceOne({ _id: store, version }, content);
        return matchedCount === 1;
      }
      return tryCreate(() => queues.create({ _id: store, ...content }));
    },
  };
}
