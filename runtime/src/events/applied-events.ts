import { type Connection, Schema } from 'mongoose';
import { createBatches } from '../concurrency/batches.ts';
import { deleteBatch } from '../mongo/delete-batch.ts';
import { insertNew } from '../mongo/insert-new.ts';

const collection = 'applied_events';

/** `_id` is the group and the event id. */
type AppliedEventDocument = { _id: string; applied_at: Date };

const schema = new Schema<AppliedEventDocument>(
  { _id: { type: String, required: true }, applied_at: { type: Date, required: true } },
  { versionKey: false },
).index({ applied_at: 1 });

/** Which events a group has applied, so that an event that arrives again is dropped. */
export type AppliedEvents = {
  /** Those of the ids that the group has applied. */
  find(group: string, ids: readonly string[]): Promise<Set<string>>;
  add(group: string, ids: readonly string[], at: Date): Promise<void>;
  /** Deletes a batch of those applied before, and returns how many it found. */
  deleteBefore(before: Date): Promise<number>;
};

const idsPerCommand = 500;
/** For look-ups and for marks each, so that one slow command does not hold up the others. */
const commandsAtATime = 2;

/**
 * Stores the applied events in the database of the service that consumes them. What the partitions of a topic look up or mark at the
 * same time is one command.
 */
export function createAppliedEvents(connection: Connection): AppliedEvents {
  const applied = connection.model('AppliedEvent', schema, collection);
  const isApplied = createBatches<string, boolean>({
    maxItems: idsPerCommand,
    maxRunning: commandsAtATime,
    async run(ids) {
      const found = await applied
        .find({ _id: { $in: ids } })
        .select({ _id: 1 })
        .lean();
      const known = new Set(found.map(({ _id }) => _id));
      return ids.map((id) => known.has(id));
    },
  });
  const mark = createBatches<AppliedEventDocument, void>({
    maxItems: idsPerCommand,
    maxRunning: commandsAtATime,
    async run(rows) {
      await insertNew(applied.collection, rows);
      return rows.map(() => undefined);
    },
  });
  return {
    async find(group, ids) {
      const known = await Promise.all(ids.map((id) => isApplied(`${group} ${id}`)));
      return new Set(ids.filter((_, index) => known[index]));
    },
    async add(group, ids, at) {
      await Promise.all(ids.map((id) => mark({ _id: `${group} ${id}`, applied_at: at })));
    },
    deleteBefore: (before) => deleteBatch(applied, { applied_at: { $lt: before } }),
  };
}
