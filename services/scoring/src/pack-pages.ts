import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { Migration } from '@shelfwise/runtime/mongo/schema/database-schema';
import { packIds } from './stores/packed-ids.ts';
import type { Ranking } from './stores/term.ts';
import { createTermStore } from './stores/term-store.ts';

/** Some 2 KB each. */
const termsPerBatch = 200;

/** An older index of the apps on pages, which the one with `is_public` has replaced. */
const oldIndex = { store: 1, country: 1, lang: 1, 'ranking.first_ids': 1 };

type Row = { _id: string; ranking?: Ranking | null };

/**
 * Gives each kept page the text of its ids (`Ranking.packed_ids`), unless a newer page has come, and drops an index that nothing
 * reads.
 */
export const packPages: Migration = {
  id: '2026-11-29-pack-pages',
  async run(connection, signal) {
    const { model: terms } = createTermStore(connection);
    const collections = await connection.listCollections();
    if (!collections.some(({ name }) => name === terms.collection.name)) return;
    for (let last = '', isLast = false; !isLast; ) {
      signal.throwIfAborted();
      const rows = await terms
        .find({ _id: { $gt: last } })
        .sort({ _id: 1 })
        .limit(termsPerBatch)
        .select({ ranking: 1 })
        .lean<Row[]>();
      await bulkWriteInChunks(
        terms,
        rows.flatMap(({ _id, ranking }) => (ranking ? [{ updateOne: toUpdate(_id, ranking) }] : [])),
      );
      isLast = rows.length < termsPerBatch;
      last = rows.at(-1)?._id ?? '';
    }
    for (const { name = '', key } of await terms.collection.indexes())
      if (JSON.stringify(key) === JSON.stringify(oldIndex)) await terms.collection.dropIndex(name);
  },
};

function toUpdate(_id: string, { read_at: readAt, revision, app_ids: appIds }: Ranking) {
  const filter = {
    _id,
    'ranking.read_at': readAt,
    'ranking.revision': revision ?? null,
    'ranking.packed_ids': null,
  };
  return { filter, update: { $set: { 'ranking.packed_ids': packIds(appIds) } } };
}
