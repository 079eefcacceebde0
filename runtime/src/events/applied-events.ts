import { type Connection, Schema } from 'mongoose';
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

/** Stores the applied events in the database of the service that consumes them. */
export function createAppliedEvents(connection: Connection): AppliedEvents {
  const applied = connection.model('AppliedEvent', schema, collection);
  return {
    async find(group, ids) {
      const prefix = `${group} `;
      const found = await applied
        .find({ _id: { $in: ids.map((id) => prefix + id) } })
        .select({ _id: 1 })
        .lean();
      return new Set(found.map(({ _id }) => _id.slice(prefix.length)));
    },
    async add(group, ids, at) {
      await insertNew(
        applied.collection,
        ids.map((id) => ({ _id: `${group} ${id}`, applied_at: at })),
      );
    },
    deleteBefore: (before) => deleteBatch(applied, { applied_at: { $lt: before } }),
  };
}
