import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import type { FieldsOf } from '@shelfwise/runtime/mongo/read/read-fields';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import { firstIds } from './term.ts';
import { termId } from './term-filters.ts';
import type { TermStore } from './term-store.ts';

/** A term whose page has an app, with its scores; null: not scored. */
export type PagedTerm = {
  keyword: string;
  score: PagedScore | null;
  ranking: { day: string; app_ids?: string[]; first_ids?: string[] };
};

type PagedScore = Pick<
  KeywordScore,
  | 'scored_at'
  | 'traffic'
  | 'is_partial'
  | 'difficulty'
  | 'search_status'
  | 'brand'
  | 'suspected_brand'
  | 'results'
  | 'genres'
>;

/** A term that was not read yet has no ranking, and no score. */
type StoredTerm<Page extends 'app_ids' | 'first_ids'> = {
  keyword: string;
  score: PagedScore | null;
  ranking: ({ day: string } & Record<Page, string[]>) | null;
};

/** What `toSeenTerm` reads, decoded straight from the reply: of a list, decoding takes longer than all else. */
const pagedScoreFields: FieldsOf<PagedScore> = {
  scored_at: 'value',
  difficulty: 'value',
  traffic: 'value',
  is_partial: 'value',
  brand: { app_id: 'value', developer_name: 'value' },
  suspected_brand: { app_id: 'value', developer_name: 'value' },
  results: 'value',
  search_status: 'value',
  genres: [{ key: 'value', apps: 'value' }],
};
const trackedFields: FieldsOf<StoredTerm<'app_ids'>> = {
  keyword: 'value',
  ranking: { day: 'value', app_ids: 'value' },
  score: pagedScoreFields,
};
const publicFields: FieldsOf<StoredTerm<'first_ids'>> = {
  keyword: 'value',
  ranking: { day: 'value', first_ids: 'value' },
  score: pagedScoreFields,
};

/**
 * What was read of the page, two thirds of a document, is not sent. To leave out one field costs the embedded database less than to
 * collect all others.
 */
const sentFields = { reading: 0, outbox: 0 } as const;

/** The largest result is then some 6 MB. */
const pagesPerQuery = 2000;

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
     * 3 KB each. Index: store, country, lang, ranking.first_ids, is_public.
     */
    async listPublic(
      { store, country, lang }: Storefront,
      { appIds, at, limit }: { appIds: readonly string[]; at: Date; limit: number },
    ): Promise<PagedTerm[]> {
      const filter = {
        store,
        country,
        lang,
        'ranking.first_ids': { $in: appIds },
        is_public: true,
        public_until: { $gt: at },
      };
      const rows = await findFields<StoredTerm<'first_ids'>>(terms, filter, {
        sort: mostSearchedFirst,
        limit,
        projection: sentFields,
        fields: publicFields,
      });
      return rows.filter(hasPage);
    },

    /**
     * Of these terms, those on whose page one of the apps is, with the whole page, and how many have no page; an empty one is one.
     * All are read, 2,000 at a time and some 3 KB each: the database would take longer to look for the apps. Index: _id.
     * @param where of an app: anywhere on the page, or among the first 30
     */
    async listOf(
      storefront: Storefront,
      keywords: readonly string[],
      { appIds, where }: { appIds: readonly string[]; where: Where },
    ): Promise<{ terms: PagedTerm[]; unread: number }> {
      const found: PagedTerm[] = [];
      let unread = 0;
      for (let start = 0; start < keywords.length; start += pagesPerQuery) {
        const ids = keywords
          .slice(start, start + pagesPerQuery)
          .map((keyword) => termId(storefront, keyword));
        const rows = await findFields<StoredTerm<'app_ids'>>(
          terms,
          { _id: { $in: ids } },
          { projection: sentFields, fields: trackedFields },
        );
        const paged = rows.filter(hasPage);
        unread += rows.length - paged.length;
        found.push(...paged.filter(({ ranking }) => hasOneOf(appIds, ranking.app_ids, where)));
      }
      return { terms: found, unread };
    },
  };
}

function hasPage<Term extends { ranking: object | null }>(
  term: Term,
): term is Term & { ranking: NonNullable<Term['ranking']> } {
  return term.ranking != null;
}

function hasOneOf(appIds: readonly string[], page: readonly string[], where: Where): boolean {
  const depth = where === 'first' ? firstIds : page.length;
  return appIds.some((id) => {
    const index = page.indexOf(id);
    return index >= 0 && index < depth;
  });
}
