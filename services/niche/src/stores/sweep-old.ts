import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import type { Connection } from 'mongoose';

/** Small enough not to delay other queries. */
const batchSize = 50;

/** Deletes up to 50 documents whose `field` is before a moment, the oldest first. Index: the field. */
export async function sweepOld(
  connection: Connection,
  collection: string,
  field: string,
  before: Date,
): Promise<void> {
  const documents = connection.collection<{ _id: string }>(collection);
  const isOld = { [field]: { $lt: before } };
  const old = await documents
    .find(isOld)
    .sort({ [field]: 1 })
    .limit(batchSize)
    .batchSize(singleBatchSize(batchSize))
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  if (old.length === 0) return;
  // A document that was renewed since it was found stays.
  await documents.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, ...isOld });
}
