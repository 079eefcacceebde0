import type { Model, mongo } from 'mongoose';

/** Small: a command of the embedded database blocks all others. */
export const documentsPerBatch = 50;

/** Any mongoose model. The type of its collection is invariant and would fit only one kind of document. */
type Rows = { collection: object };
type Sort = Readonly<Record<string, 1 | -1>>;

/**
 * Deletes up to `documentsPerBatch` documents that match the filter, the first ones in the order of `sort`. Returns how
 * many it found: a smaller number than `documentsPerBatch` means that no other document matches. The delete command
 * repeats the filter, so a document that another writer changed meanwhile is kept. The values are not cast. A condition
 * on `_id` must be written with operators.
 */
export async function deleteBatch(
  { collection }: Rows,
  filter: mongo.Filter<mongo.Document>,
  sort: Sort = {},
): Promise<number> {
  const documents = collection as Model<unknown>['collection'];
  const found = await documents
    .find(filter)
    .sort(sort)
    .limit(documentsPerBatch)
    .project<{ _id: mongo.Document['_id'] }>({ _id: 1 })
    .toArray();
  const ids = { ...filter._id, $in: found.map(({ _id }) => _id) };
  if (found.length > 0) await documents.deleteMany({ ...filter, _id: ids });
  return found.length;
}

/**
 * Deletes all matching documents in batches until the signal fires. Returns how many it found, and whether none is left.
 */
export async function deleteAll(
  rows: Rows,
  filter: mongo.Filter<mongo.Document>,
  signal: AbortSignal,
): Promise<{ found: number; isComplete: boolean }> {
  let found = 0;
  while (!signal.aborted) {
    const batch = await deleteBatch(rows, filter);
    found += batch;
    if (batch < documentsPerBatch) return { found, isComplete: true };
  }
  return { found, isComplete: false };
}
