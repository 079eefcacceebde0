import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { Migration } from '@shelfwise/runtime/mongo/schema/database-schema';
import { toPublicPage } from './stores/public-page.ts';
import type { Ranking, Term } from './stores/term.ts';
import { createTermStore } from './stores/term-store.ts';

/** Some 3 KB each. */
const termsPerBatch = 200;

type Row = Pick<Term, '_id' | 'score'> & { ranking?: Ranking | null };

/**
 * Gives each term that is or was public its newest page as the public one: why it was read was not kept. The index of the apps on
 * newest pages (store, country, lang, ranking.first_ids, is_public) stays: copies of the version before, which go on meanwhile, read
 * by it. A migration of a later version may drop it.
 */
export const showPublicPages: Migration = {
  id: '2026-11-30-show-public-pages',
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
        .select({ ranking: 1, score: 1, public_until: 1, 'public_page.day': 1 })
        .lean<(Row & Pick<Term, 'public_until' | 'public_page'>)[]>();
      const missing = rows.filter(
        (term) => term.public_until && !term.public_page && term.ranking && term.score,
      );
      await bulkWriteInChunks(
        terms,
        missing.map((term) => ({ updateOne: toUpdate(term) })),
      );
      isLast = rows.length < termsPerBatch;
      last = rows.at(-1)?._id ?? '';
    }
  },
};

/** Matches while no measurement has written a public page. */
function toUpdate({ _id, ranking, score }: Row) {
  const page = ranking && score && toPublicPage(ranking, score, ranking.read_at);
  return { filter: { _id, public_page: null }, update: { $set: { public_page: page } } };
}
