import type { PagedTerm } from '../stores/kept-page-store.ts';
import { packIds, unpackIds } from '../stores/packed-ids.ts';
import { findSeenTerms } from './find-seen-terms.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const now = new Date('2026-03-10T12:00:00Z');

/** A public term with the app on rank 1. @param traffic null: not scored */
function pagedTerm(keyword: string, traffic: number | null): PagedTerm {
  const score: PagedTerm['score'] = traffic === null ? null : { ...scored, traffic };
  return { keyword, score, ranking: { day: '2026-03-10', app_ids: unpackIds(packIds(['app'])) } };
}

const scored = {
  is_partial: false,
  difficulty: 50,
  search_status: 'searched',
  brand: null,
  suspected_brand: null,
  results: 100,
  genres: null,
} as const;

const find = (terms: PagedTerm[]) =>
  findSeenTerms(
    {
      keptPages: { listPublic: async () => terms, listOf: async () => ({ terms: [], unread: 0 }) },
      trackedTerms: { findKeywordIds: async () => ({ ids: new Map(), isCut: false }) },
      now: () => now,
    },
    { account_id: 'ann' },
    storefront,
    { appIds: ['app'], where: 'first' },
  );

test('of more than 2,000 terms those with the most traffic are seen, the first of equal ones', async () => {
  // Some 100 of each of 0 to 20, and of an unknown one, with the keywords in another order.
  const terms = Array.from({ length: 2150 }, (_, at) =>
    pagedTerm(`term ${(9 * at) % 2203}`, at % 22 === 21 ? null : at % 22),
  );
  const { terms: seen, isTruncated } = await find(terms);
  const trafficOf = ({ score }: PagedTerm) => score?.traffic ?? -1;
  const expected = terms
    .toSorted((a, b) => trafficOf(b) - trafficOf(a) || (a.keyword < b.keyword ? -1 : 1))
    .slice(0, 2000);
  const keywordsOf = (some: readonly { keyword: string }[]) => some.map(({ keyword }) => keyword).sort();
  expect(keywordsOf(seen)).toEqual(keywordsOf(expected));
  expect(isTruncated).toBe(true);
});

test('of 2,000 terms all are seen', async () => {
  const { terms, isTruncated } = await find(
    Array.from({ length: 2000 }, (_, at) => pagedTerm(`term ${at}`, null)),
  );
  expect([terms.length, isTruncated]).toEqual([2000, false]);
});
