import type { ListedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { findIndexedOrder, type KeywordQuery, type Movement, orderKeywords } from './order-keywords.ts';
import type { OrderingTurns } from './ordering-turns.ts';

type Deps = Parameters<typeof orderKeywords>[0] & {
  orderingTurns: OrderingTurns;
  trackedKeywords: Pick<TrackedKeywordStore, 'list' | 'count' | 'listUnordered'>;
};

/**
 * One page of the keywords of a query. `count` returns how many there are on all pages: it costs another query where an index
 * gives the order, unless the page is the last one and has rows.
 *
 * Cost: in the orders that an index serves, the rows of the page. Everything else reads all rows of the account or
 * application, and refuses long lists: see `orderKeywords`.
 */
export async function readKeywordPage(
  deps: Deps,
  query: KeywordQuery,
  { skip, limit }: { skip: number; limit: number },
  signal: AbortSignal,
): Promise<{ found: { row: ListedKeyword; movement?: Movement }[]; count: () => Promise<number> }> {
  const order = findIndexedOrder(query);
  if (order === null) {
    const { account_id: accountId } = query.filter;
    const all = await deps.orderingTurns.take(accountId, signal, () => orderKeywords(deps, query, signal));
    return { found: all.slice(skip, skip + limit), count: async () => all.length };
  }
  // One row more tells whether there is a next page.
  const rows = await deps.trackedKeywords.list(query.filter, order, { skip, limit: limit + 1 });
  const isLast = rows.length <= limit && (rows.length > 0 || skip === 0);
  return {
    found: rows.slice(0, limit).map((row) => ({ row })),
    count: async () => (isLast ? skip + rows.length : deps.trackedKeywords.count(query.filter)),
  };
}
