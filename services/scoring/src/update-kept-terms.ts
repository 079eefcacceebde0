import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { Connection } from 'mongoose';
import { createTermStore, type TermStore } from './stores/term-store.ts';

/** Some 3 KB each. */
const termsPerBatch = 200;

export type TermUpdate = { filter: object; update: object };

/**
 * For migrations: updates the terms that are kept, some at a time. Null: there are none yet.
 * @param fields what `toUpdate` needs
 * @param toUpdate null: the term stays as it is
 */
export async function updateKeptTerms<Row extends { _id: string }>(
  connection: Connection,
  signal: AbortSignal,
  { fields, toUpdate }: { fields: Record<string, 1>; toUpdate: (term: Row) => TermUpdate | null },
): Promise<TermStore['model'] | null> {
  const { model: terms } = createTermStore(connection);
  const collections = await connection.listCollections();
  if (!collections.some(({ name }) => name === terms.collection.name)) return null;
  for (let last = '', isLast = false; !isLast; ) {
    signal.throwIfAborted();
    const rows = await terms
      .find({ _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(termsPerBatch)
      .select(fields)
      .lean<Row[]>();
    const updates = rows.map(toUpdate).filter((one) => one !== null);
    await bulkWriteInChunks(
      terms,
      updates.map((updateOne) => ({ updateOne })),
    );
    isLast = rows.length < termsPerBatch;
    last = rows.at(-1)?._id ?? '';
  }
  return terms;
}
