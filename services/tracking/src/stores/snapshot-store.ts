import { daysInWindow } from '@shelfwise/runtime/day';
import { type NewEvent, outboxFields, outboxInsert } from '@shelfwise/runtime/events/outbox';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { type Connection, Schema } from 'mongoose';
import type { Snapshot } from '../domain/snapshot.ts';

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
    ...outboxFields,
  },
  { versionKey: false },
)
  .index({ keyword_id: 1, day: 1 })
  .index({ outbox_since: 1 }, { sparse: true });

/** A snapshot that was taken, and the event that tells of it. */
export type FreshSnapshot = { keywordId: number; snapshot: Snapshot; event: NewEvent };

const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 } as const;

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

export function createSnapshotStore(connection: Connection) {
  const snapshots = connection.model('Snapshot', schema, 'snapshots');
  return {
    model: snapshots,

    /**
     * Keeps the first snapshot of each market and day, of whatever day, each with its event in one write; answers with
     * those that are kept, in the order given.
     */
    async keepFirst(fresh: readonly FreshSnapshot[], at: Date): Promise<Snapshot[]> {
      const rows = fresh.map(({ keywordId, snapshot, event }) => ({
        _id: idOf(keywordId, snapshot.day),
        keyword_id: keywordId,
        ...snapshot,
        ...outboxInsert(event, at),
      }));
      const known = await insertNew(snapshots.collection, rows);
      if (known.size === 0) return fresh.map(({ snapshot }) => snapshot);
      const kept = await snapshots
        .find({ _id: { $in: [...known] } })
        .batchSize(singleBatchSize(known.size))
        .select(withoutOutbox)
        .lean<SnapshotDocument[]>();
      const keptById = new Map(kept.map((row) => [row._id, row]));
      return rows.map((row) => {
        const { day, taken_at: takenAt, source, app_ids: appIds } = keptById.get(row._id) ?? row;
        return { day, taken_at: takenAt, source, app_ids: appIds };
      });
    },

    /** Those of the markets that have a snapshot of the day. */
    async findTaken(keywordIds: readonly number[], day: string): Promise<Set<number>> {
      const rows = await snapshots
        .find({ _id: { $in: keywordIds.map((id) => idOf(id, day)) } })
        .batchSize(singleBatchSize(keywordIds.length))
        .select({ keyword_id: 1 })
        .lean<Pick<SnapshotDocument, 'keyword_id'>[]>();
      return new Set(rows.map(({ keyword_id: keywordId }) => keywordId));
    },

    /** Oldest first, both days included. */
    listBetween: (keywordId: number, from: string, to: string) =>
      snapshots
        .find({ keyword_id: keywordId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .select(withoutOutbox)
        .batchSize(singleBatchSize(daysInWindow(from, to)))
        .lean<SnapshotDocument[]>(),
  };
}

function idOf(keywordId: number, day: string): string {
  return `${keywordId}:${day}`;
}
