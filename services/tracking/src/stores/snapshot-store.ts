import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type Connection, Schema } from 'mongoose';
import { daysInWindow } from '../domain/day.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { oneBatch } from './one-batch.ts';

/** The history: one row per market and day, `_id` is `<keyword id>:<day>`. */
type SnapshotDocument = Snapshot & { _id: string; keyword_id: number };

const schema = new Schema<SnapshotDocument>(
  {
    _id: { type: String, required: true },
    keyword_id: { type: Number, required: true },
    day: { type: String, required: true },
    taken_at: { type: Date, required: true },
    source: { type: String, required: true },
    app_ids: { type: [String], required: true },
  },
  { versionKey: false },
).index({ keyword_id: 1, day: 1 });

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

export function createSnapshotStore(connection: Connection) {
  const snapshots = connection.model('Snapshot', schema, 'snapshots');
  return {
    /** Keeps the first snapshot of a market and day, and answers with the one that is kept. */
    async keepFirst(keywordId: number, snapshot: Snapshot): Promise<Snapshot> {
      const _id = `${keywordId}:${snapshot.day}`;
      try {
        await snapshots.create({ _id, keyword_id: keywordId, ...snapshot });
        return snapshot;
      } catch (error) {
        const kept = isDuplicateKey(error) ? await snapshots.findById(_id).lean<SnapshotDocument>() : null;
        if (!kept) throw error;
        const { day, taken_at, source, app_ids } = kept;
        return { day, taken_at, source, app_ids };
      }
    },

    /** Oldest first, both days included. */
    listBetween: (keywordId: number, from: string, to: string) =>
      snapshots
        .find({ keyword_id: keywordId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .batchSize(oneBatch(daysInWindow(from, to)))
        .lean<SnapshotDocument[]>(),
  };
}
