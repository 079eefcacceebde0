import type { Migration } from '@shelfwise/runtime/mongo/schema/database-schema';
import { packIds } from './stores/packed-ids.ts';
import type { Ranking } from './stores/term.ts';
import { type TermUpdate, updateKeptTerms } from './update-kept-terms.ts';

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
    const terms = await updateKeptTerms<Row>(connection, signal, { fields: { ranking: 1 }, toUpdate });
    if (!terms) return;
    for (const { name = '', key } of await terms.collection.indexes())
      if (JSON.stringify(key) === JSON.stringify(oldIndex)) await terms.collection.dropIndex(name);
  },
};

function toUpdate({ _id, ranking }: Row): TermUpdate | null {
  if (!ranking) return null;
  const { read_at: readAt, revision, app_ids: appIds } = ranking;
  const filter = {
    _id,
    'ranking.read_at': readAt,
    'ranking.revision': revision ?? null,
    'ranking.packed_ids': null,
  };
  return { filter, update: { $set: { 'ranking.packed_ids': packIds(appIds) } } };
}
