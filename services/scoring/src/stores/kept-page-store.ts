import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Term } from './term.ts';
import { termId } from './term-filters.ts';
import { scoreFields } from './term-projections.ts';
import type { TermStore } from './term-store.ts';

/** A term whose page has an app, with its scores. A projection omits objects without a selected value. */
export type PagedTerm = {
  keyword: string;
  score?: Term['score'];
  ranking: { day: string; app_ids?: string[]; first_ids?: string[] };
};

/**
 * The fields of a term with its page, which `toSeenTerm` reads. What was read of the page, two thirds of a document, is not among
 * them: to decode it takes longer than all else.
 */
const pagedTermFields: Record<string, 1> = {
  keyword: 1,
  ...scoreFields,
  'score.genres': 1,
  'ranking.day': 1,
};

/** Those with the most traffic come first, so that a limit leaves out the least searched ones. */
const mostSearchedFirst = { 'score.traffic': -1, _id: 1 } as const;

export type Where = 'anywhere' | 'first';

export type KeptPageStore = ReturnType<typeof createKeptPageStore>;

/**
 * The newest result page of each term, found by the apps on it. A page may have been read only because an account tracks, inspects
 * or drafts its term, or keeps it in a keywords field. Callers therefore pass the terms that an account tracks, or ask for public
 * ones (`Term.public_until`).
 */
export function createKeptPageStore({ model: terms }: Pick<TermStore, 'model'>) {
  return {
    /**
     * The terms that are public at a time, on whose page one of the apps is among the first 30. They have `first_ids` alone. Some
     * 700 bytes each. Index: store, country, lang, ranking.first_ids, is_public.
     */
    async listPublic(
      { store, country, lang }: Storefront,
      { appIds, at, limit }: { appIds: readonly string[]; at: Date; limit: number },
    ): Promise<PagedTerm[]> {
      return terms
        .find({
          store,
          country,
          lang,
          'ranking.first_ids': { $in: appIds },
          is_public: true,
          public_until: { $gt: at },
        })
        .sort(mostSearchedFirst)
        .limit(limit)
        .select({ ...pagedTermFields, 'ranking.first_ids': 1 })
        .lean<PagedTerm[]>();
    },

    /**
     * Of these terms, those on whose page one of the apps is, with the whole page. Some 2 KB each. Index: _id.
     * @param where of an app: anywhere on the page, or among the first 30
     */
    async listOf(
      storefront: Storefront,
      keywords: readonly string[],
      { appIds, where, limit }: { appIds: readonly string[]; where: Where; limit: number },
    ): Promise<PagedTerm[]> {
      const found = terms
        .find({
          _id: { $in: keywords.map((keyword) => termId(storefront, keyword)) },
          [where === 'anywhere' ? 'ranking.app_ids' : 'ranking.first_ids']: { $in: appIds },
        })
        .limit(limit)
        .select({ ...pagedTermFields, 'ranking.app_ids': 1 })
        .lean<PagedTerm[]>();
      return keywords.length > limit ? found.sort(mostSearchedFirst) : found;
    },

    /**
     * How many of these terms have no result page; an empty one is one. Index: store, country, lang, ranking.first_ids: the few terms
     * without a page; or _id.
     */
    async countUnread({ store, country, lang }: Storefront, keywords: readonly string[]): Promise<number> {
      const ids = keywords.map((keyword) => termId({ store, country, lang }, keyword));
      return terms.countDocuments({ store, country, lang, 'ranking.first_ids': null, _id: { $in: ids } });
    },
  };
}
