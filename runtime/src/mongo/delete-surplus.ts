import type { Model, mongo } from 'mongoose';

/** Any mongoose model. The type of its collection is invariant and would fit only one kind of document. */
type Rows = { collection: object };

/** `keep`: how many stay; `newest`: the field by which they are the newest. */
type Kept = { keep: number; newest: string };

/**
 * The ids of the documents that match the filter, except the newest `keep`. The filter goes to the driver as it is: mongoose does not
 * cast its values.
 */
export async function findSurplus(
  { collection }: Rows,
  filter: mongo.Filter<mongo.Document>,
  { keep, newest }: Kept,
): Promise<string[]> {
  const found = await (collection as Model<unknown>['collection'])
    .find(filter)
    .sort({ [newest]: -1, _id: 1 })
    .skip(keep)
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Deletes what `findSurplus` finds. */
export async function deleteSurplus(
  rows: Rows,
  filter: mongo.Filter<mongo.Document>,
  kept: Kept,
): Promise<void> {
  const surplus = await findSurplus(rows, filter, kept);
  if (surplus.length === 0) return;
  const documents = rows.collection as Model<unknown>['collection'];
  await documents.deleteMany({ _id: { $in: surplus as never[] } });
}
