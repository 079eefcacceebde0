import type { Connection } from 'mongoose';

/** Small enough not to delay other queries. */
const documentsPerSweep = 50;

/** Deletes up to 50 documents, oldest first, in which `field` is earlier than `before`. Index: the field. */
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
    .limit(documentsPerSweep)
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  if (old.length === 0) return;
  // The condition is repeated: a document may have been renewed since it was found.
  await documents.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, ...isOld });
}
