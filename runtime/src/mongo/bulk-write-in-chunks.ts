import type { AnyBulkWriteOperation, Model, mongo } from 'mongoose';

/** FerretDB on SQLite keeps resources open for each update of a command and stops for good at about a hundred. */
const updatesPerCommand = 50;

/** A model. TypeScript infers the type of its rows from `castObject`. */
type BulkModel<Row> = Pick<Model<Row>, 'collection' | 'castObject'>;
type Operation<Row> = AnyBulkWriteOperation<Row extends mongo.Document ? Row : mongo.Document>;

/** How many documents matched the filters of the updates, without those that an upsert inserted, and how many changed. */
export type BulkWriteCounts = { matchedCount: number; upsertedCount: number; modifiedCount: number };

/**
 * Writes the operations in any order, a limited number in each command, without casting their values, which would cost
 * more than sending them. An upsert sets no defaults of the schema. When a command fails, the commands before it stay
 * written.
 */
export async function bulkWriteInChunks<Row>(
  model: BulkModel<Row>,
  operations: readonly Operation<Row>[],
): Promise<BulkWriteCounts> {
  const counts: BulkWriteCounts = { matchedCount: 0, upsertedCount: 0, modifiedCount: 0 };
  for (let start = 0; start < operations.length; start += updatesPerCommand) {
    const chunk = operations.slice(start, start + updatesPerCommand) as mongo.AnyBulkWriteOperation[];
    const written = await model.collection.bulkWrite(chunk, { ordered: false });
    counts.matchedCount += written.matchedCount;
    counts.upsertedCount += written.upsertedCount;
    counts.modifiedCount += written.modifiedCount;
  }
  return counts;
}
