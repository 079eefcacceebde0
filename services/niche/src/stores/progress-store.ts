import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { type Niche, nicheKey } from './analysis-store.ts';

/** How far an analysis is. Counts are null until they are known. */
export type Progress = { phase: string; candidates: number | null; read: number | null };

type ProgressDocument = Progress & { _id: string; at: Date };

const schema = new Schema<ProgressDocument>(
  {
    _id: { type: String, required: true },
    phase: { type: String, required: true },
    candidates: { type: Number, default: null },
    read: { type: Number, default: null },
    at: { type: Date, required: true },
  },
  { versionKey: false },
).index({ at: 1 });

/** No analysis takes so long: what is older was left by one that was interrupted. */
const keptMs = 3_600_000;

export type ProgressStore = ReturnType<typeof createProgressStore>;

/** How far the running analyses are, by `nicheKey`. Written by the copy that runs one, read by all. */
export function createProgressStore(connection: Connection) {
  const model = connection.model('Progress', schema, 'analysis_progress');
  return {
    /** Index: _id. */
    async save(niche: Niche, progress: Progress, at: Date): Promise<void> {
      const _id = nicheKey(niche);
      await retryUpsert(() => model.replaceOne({ _id }, { ...progress, at }, { upsert: true }));
    },

    /** Index: _id. */
    async find(niche: Niche): Promise<Progress | null> {
      const found = await model.findById(nicheKey(niche)).lean<ProgressDocument>();
      return found && { phase: found.phase, candidates: found.candidates, read: found.read };
    },

    /** Of an analysis that has ended, and of those that were interrupted. Indexes: _id, at. */
    async end(niche: Niche, now: Date): Promise<void> {
      await model.deleteOne({ _id: nicheKey(niche) });
      await deleteBatch(model, { at: { $lt: new Date(now.getTime() - keptMs) } }, { at: 1 });
    },
  };
}
