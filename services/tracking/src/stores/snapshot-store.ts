import { type NewEvent, outboxFields, outboxInsert } from '@shelfwise/runtime/events/outbox';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { type Connection, Schema } from 'mongoose';
import type { Snapshot } from '../domain/snapshot.ts';

/** The history of result pages: one row per keyword and day; `_id` is `<keyword id>:<day>`. */
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

/** A new snapshot and its event. */
export type NewSnapshot = { keywordId: number; snapshot: Snapshot; event: NewEvent };

/** Some keywords on the days (YYYY-MM-DD) from `first` to `last`, both included. */
export type SnapshotWindow = { keywordIds: number[]; first: string; last: string };

export type StreamedSnapshot = Pick<SnapshotDocument, 'keyword_id' | 'day' | 'app_ids'>;

/** About 1 MB of full result pages. */
const rowsPerBatch = 500;

const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 } as const;

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

export function createSnapshotStore(connection: Connection) {
  const snapshots = connection.model('Snapshot', schema, 'snapshots');
  return {
    model: snapshots,

    /**
     * Saves each snapshot with its event in one write, unless the keyword already has a snapshot of that day. Returns
     * the stored snapshot of each keyword and day, in the order given.
     */
    async saveFirst(added: readonly NewSnapshot[], at: Date): Promise<Snapshot[]> {
      const rows = added.map(({ keywordId, snapshot, event }) => ({
        _id: idOf(keywordId, snapshot.day),
        keyword_id: keywordId,
        ...snapshot,
        ...outboxInsert(event, at),
      }));
      const existingIds = await insertNew(snapshots.collection, rows);
      if (existingIds.size === 0) return added.map(({ snapshot }) => snapshot);
      const existingRows = await snapshots
        .find({ _id: { $in: [...existingIds] } })
        .select(withoutOutbox)
        .lean<SnapshotDocument[]>();
      const existingById = new Map(existingRows.map((row) => [row._id, row]));
      return rows.map((row) => {
        const stored = existingById.get(row._id) ?? row;
        return { day: stored.day, taken_at: stored.taken_at, source: stored.source, app_ids: stored.app_ids };
      });
    },

    /** The ids of the keywords among these that have a snapshot of the day (YYYY-MM-DD). */
    async findTaken(keywordIds: readonly number[], day: string): Promise<Set<number>> {
      const rows = await snapshots
        .find({ _id: { $in: keywordIds.map((id) => idOf(id, day)) } })
        .select({ keyword_id: 1 })
        .lean<Pick<SnapshotDocument, 'keyword_id'>[]>();
      return new Set(rows.map((row) => row.keyword_id));
    },

    /** The snapshots of a keyword from one day to another (YYYY-MM-DD, both included), oldest first. */
    listBetween: (keywordId: number, from: string, to: string) =>
      snapshots
        .find({ keyword_id: keywordId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .select(withoutOutbox)
        .lean<SnapshotDocument[]>(),

    /**
     * The result pages in any of the windows, one after another and in no order, so that many of them need little
     * memory. Index: keyword_id, day.
     */
    stream: (windows: readonly SnapshotWindow[]): AsyncIterable<StreamedSnapshot> =>
      snapshots
        .find({ $or: windows.map(toWindowFilter) })
        .select({ _id: 0, keyword_id: 1, day: 1, app_ids: 1 })
        .lean<StreamedSnapshot[]>()
        .cursor({ batchSize: rowsPerBatch }),
  };
}

function toWindowFilter({ keywordIds, first, last }: SnapshotWindow) {
  return { keyword_id: { $in: keywordIds }, day: { $gte: first, $lte: last } };
}

function idOf(keywordId: number, day: string): string {
  return `${keywordId}:${day}`;
}
