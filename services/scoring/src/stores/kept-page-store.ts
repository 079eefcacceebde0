import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import type { FieldsOf } from '@shelfwise/runtime/mongo/read/read-fields';
import type { AppIds } from '../domain/audit/axes/term-page.ts';
import { packIds, unpackIds } from './packed-ids.ts';
import { firstIds, type ListedScore, type PublicPage, type Ranking } from './term.ts';
import { termId } from './term-filters.ts';
import type { TermStore } from './term-store.ts';

/** What is read of a score: not when it was computed. */
type PagedScore = Omit<ListedScore, 'scored_at'>;

/** A term whose page has an app, with its scores; null: not scored. */
export type PagedTerm = {
  keyword: string;
  score: PagedScore | null;
  ranking: { day: string; app_ids: AppIds };
};

/** A term that was not read yet has no ranking, and no score. */
type StoredTerm = {
  _id: string;
  ranking: Pick<Ranking, 'day' | 'packed_ids'> | null;
  score: PagedScore | null;
};

type StoredPublicTerm = {
  _id: string;
  public_page: Pick<PublicPage, 'day' | 'packed_ids'> & { score: PagedScore };
};

/** What is decoded, straight from the reply: of a list, decoding takes longer than all else. */
const scoreFields: FieldsOf<PagedScore> = {
  difficulty: 'value',
  traffic: 'value',
  is_partial: 'value',
  brand: { app_id: 'value', developer_name: 'value' },
  suspected_brand: { app_id: 'value', developer_name: 'value' },
  results: 'value',
  search_status: 'value',
  genres: [{ key: 'value', apps: 'value' }],
};
const decodedFields: FieldsOf<StoredTerm> = {
  _id: 'value',
  ranking: { day: 'value', packed_ids: 'value' },
  score: scoreFields,
};
const publicFields: FieldsOf<StoredPublicTerm> = {
  _id: 'value',
  public_page: { day: 'value', packed_ids: 'value', score: scoreFields },
};

/** A third of a document: some 2 KB. Without the fields of the score by name, which cost the embedded database more than they save. */
const read = {
  projection: { 'ranking.day': 1, 'ranking.packed_ids': 1, score: 1 },
  fields: decodedFields,
} as const;

/** Some 1 KB each. */
const readPublic = {
  projection: { 'public_page.day': 1, 'public_page.packed_ids': 1, 'public_page.score': 1 },
  fields: publicFields,
} as const;

/** The largest result is then some 4 MB. */
const pagesPerQuery = 2000;

/** Those with the most traffic come first, so that a limit leaves out the least searched ones. */
const mostSearchedFirst = { 'public_page.score.traffic': -1, _id: 1 } as const;

export type Where = 'anywhere' | 'first';

export type KeptPageStore = ReturnType<typeof createKeptPageStore>;

/**
 * Result pages of terms, found by the apps on them. The newest page of a term may have been read only because an account tracks,
 * inspects or drafts it, or keeps it in a keywords field. Callers therefore pass the terms that an account tracks, or ask for the
 * public pages of public ones (`publicPageAfter`).
 */
export function createKeptPageStore({ model: terms }: Pick<TermStore, 'model'>) {
  /** The pages that a version without packed ids has written since: read with their arrays, 100 ids each. Index: _id. */
  async function packedByHand(ids: readonly string[]): Promise<Map<string, StoredTerm['ranking']>> {
    if (ids.length === 0) return new Map();
    const rows = await terms
      .find({ _id: { $in: ids } })
      .select({ 'ranking.day': 1, 'ranking.app_ids': 1 })
      .lean<{ _id: string; ranking?: Pick<Ranking, 'day' | 'app_ids'> | null }[]>();
    return new Map(
      rows.flatMap(({ _id, ranking }) =>
        ranking ? [[_id, { day: ranking.day, packed_ids: packIds(ranking.app_ids) }] as const] : [],
      ),
    );
  }

  /** Those with a page. */
  async function toPaged(storefront: Storefront, rows: readonly StoredTerm[]): Promise<PagedTerm[]> {
    const unpacked = rows.filter(isUnpacked).map(({ _id }) => _id);
    const packed = await packedByHand(unpacked);
    const keywordStart = storefrontKey(storefront).length + 1;
    const paged: PagedTerm[] = [];
    for (const row of rows) {
      const { day, packed_ids: ids } = (isUnpacked(row) ? packed.get(row._id) : row.ranking) ?? {};
      if (day === undefined || ids === undefined) continue;
      const ranking = { day, app_ids: unpackIds(ids) };
      paged.push({ keyword: row._id.slice(keywordStart), score: row.score, ranking });
    }
    return paged;
  }

  return {
    /**
     * The terms that are public at a time, on whose public page one of the apps is among the first 30, with that page and its
     * scores; of more than `limit` those with the most traffic. Index: store, country, lang, public_page.first_ids.
     */
    async listPublic(
      storefront: Storefront,
      { appIds, at, limit }: { appIds: readonly string[]; at: Date; limit: number },
    ): Promise<PagedTerm[]> {
      const { store, country, lang } = storefront;
      const filter = {
        store,
        country,
        lang,
        'public_page.first_ids': { $in: appIds },
        public_until: { $gt: at },
      };
      const rows = await findFields<StoredPublicTerm>(terms, filter, {
        ...readPublic,
        limit,
        sort: mostSearchedFirst,
      });
      const keywordStart = storefrontKey(storefront).length + 1;
      return rows.map(({ _id, public_page: { day, packed_ids: ids, score } }) => ({
        keyword: _id.slice(keywordStart),
        score,
        ranking: { day, app_ids: unpackIds(ids) },
      }));
    },

    /**
     * Of these terms, those on whose page one of the apps is, with the whole page, and how many have no page; an empty one is one.
     * All are read, 2,000 at a time and some 2 KB each: the database would take longer to look for the apps. Index: _id.
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
        const rows = await findFields<StoredTerm>(terms, { _id: { $in: ids } }, read);
        const paged = await toPaged(storefront, rows);
        unread += rows.length - paged.length;
        for (const term of paged) if (hasOneOf(appIds, term.ranking.app_ids, where)) found.push(term);
      }
      return { terms: found, unread };
    },
  };
}

function isUnpacked({ ranking }: StoredTerm): boolean {
  return ranking != null && ranking.packed_ids === undefined;
}

function hasOneOf(appIds: readonly string[], page: AppIds, where: Where): boolean {
  const depth = where === 'first' ? firstIds : page.length;
  return appIds.some((id) => {
    const index = page.indexOf(id);
    return index >= 0 && index < depth;
  });
}
