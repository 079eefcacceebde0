import type { Migration } from '@shelfwise/runtime/mongo/schema/database-schema';
import { toPublicPage } from './stores/public-page.ts';
import type { Ranking, Term } from './stores/term.ts';
import { type TermUpdate, updateKeptTerms } from './update-kept-terms.ts';

type Row = Pick<Term, '_id' | 'score' | 'public_until' | 'public_page'> & { ranking?: Ranking | null };

/**
 * Gives each term that is or was public its newest page as the public one: why it was read was not kept. The index of the apps on
 * newest pages (store, country, lang, ranking.first_ids, is_public) stays: copies of the version before, which go on meanwhile, read
 * by it. A migration of a later version may drop it.
 */
export const showPublicPages: Migration = {
  id: '2026-11-30-show-public-pages',
  async run(connection, signal) {
    const fields = { ranking: 1, score: 1, public_until: 1, 'public_page.day': 1 } as const;
    await updateKeptTerms<Row>(connection, signal, { fields, toUpdate });
  },
};

/** Matches while no measurement has written a public page. */
function toUpdate({ _id, ranking, score, public_until: until, public_page: known }: Row): TermUpdate | null {
  if (!until || known || !ranking || !score) return null;
  const page = toPublicPage(ranking, score, ranking.read_at);
  return { filter: { _id, public_page: null }, update: { $set: { public_page: page } } };
}
