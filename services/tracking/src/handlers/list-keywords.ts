import {
  KeywordOrder_Field as Field,
  type Keyword,
  type ListKeywordsReply,
  type ListKeywordsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import {
  checkAccountId,
  checkDay,
  checkId,
  checkInteger,
  checkPage,
  checkText,
} from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { KeywordOrder } from '../domain/keyword-order.ts';
import type { RankedApp } from '../domain/snapshot.ts';
import {
  findIndexedOrder,
  type KeywordQuery,
  type Movement,
  orderKeywords,
} from '../keywords/order-keywords.ts';
import type { OrderingTurns } from '../keywords/ordering-turns.ts';
import { type RankPosition, readRankPositions } from '../snapshots/read-rank-positions.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { RankedAppStore } from '../stores/ranked-app-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type {
  IndexedOrder,
  KeywordFilter,
  ListedKeyword,
  TrackedKeywordStore,
} from '../stores/tracked-keyword-store.ts';
import { appNotTracked } from '../tracking-errors.ts';

const maxPerPage = 1000;
/** In UTF-16 units. The gateway accepts 100 code points. */
const maxSearchLength = 400;

const orderFields: Readonly<Partial<Record<Field, KeywordOrder['by']>>> = {
  [Field.KEYWORD]: 'keyword',
  [Field.RANK]: 'rank',
  [Field.TRAFFIC]: 'traffic',
  [Field.DIFFICULTY]: 'difficulty',
  [Field.DELTA]: 'delta',
};

type Deps = {
  keywordMarkets: KeywordMarketStore;
  listings: ListingStore;
  orderingTurns: OrderingTurns;
  rankedApps: RankedAppStore;
  snapshots: Pick<SnapshotStore, 'visitNewest'>;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
};

/**
 * One page of the keywords of the account or of one application, with their ranks in the latest snapshots. Favorites
 * come first, then by keyword, unless the request names an order.
 *
 * Cost: in the orders that an index serves, the rows of the page. Everything else reads all rows of the account or
 * application, and refuses long lists: see `orderKeywords`.
 * @throws APP_NOT_FOUND, INVALID_PARAMS
 */
export async function listKeywords(
  deps: Deps,
  request: ListKeywordsRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<ListKeywordsReply> {
  const wanted = checkQuery(request);
  const { skip, limit } = checkPage(request, maxPerPage);

  // Before the rows: if they were older, they could be those of a removal that is no longer pending.
  const query = { ...wanted, filter: await narrow(deps, wanted.filter) };
  const indexedOrder = findIndexedOrder(query);
  if (indexedOrder) return readIndexedPage(deps, query.filter, indexedOrder, { skip, limit });

  const { account_id: accountId } = query.filter;
  const found = await deps.orderingTurns.take(accountId, signal, () => orderKeywords(deps, query, signal));
  const page = found.slice(skip, skip + limit);
  const positions = await readRankPositions(
    deps,
    page.map(({ row }) => row),
  );
  return {
    keywords: positions.map((position, index) => toKeyword(position, page[index]?.movement)),
    total: found.length,
  };
}

/** The total costs another query, unless the page is the last one and has rows. */
async function readIndexedPage(
  deps: Deps,
  filter: KeywordFilter,
  order: IndexedOrder,
  { skip, limit }: { skip: number; limit: number },
): Promise<ListKeywordsReply> {
  // One row more tells whether there is a next page.
  const found = await deps.trackedKeywords.list(filter, order, { skip, limit: limit + 1 });
  const isLast = found.length <= limit && (found.length > 0 || skip === 0);
  const [positions, total] = await Promise.all([
    readRankPositions(deps, found.slice(0, limit)),
    isLast ? skip + found.length : deps.trackedKeywords.count(filter),
  ]);
  return { keywords: positions.map((position) => toKeyword(position)), total };
}

function toKeyword(
  { row, market, listing, rank, ahead, behind }: RankPosition<ListedKeyword>,
  movement?: Movement,
): Keyword {
  return {
    keyword_id: row.keyword_id,
    keyword: market.keyword,
    store: market.store,
    country: market.country,
    lang: market.lang,
    difficulty_score: market.scores?.difficulty ?? null,
    traffic_score: market.scores?.traffic ?? null,
    is_partial: market.scores?.is_partial ?? false,
    app_id: listing._id,
    app_title: listing.title,
    current_rank: rank,
    ahead,
    behind,
    ranking: market.latest.top.map((app, index) => ({
      app_id: app.app_id,
      title: titleOf(app, listing),
      icon: app.icon,
      rank: index + 1,
      ratings: app.ratings ?? null,
    })),
    is_favorite: row.favorite_order === 0,
    tracked_since: row.tracked_since,
    snapshot_depth: market.latest.app_ids.length,
    snapshot_date: market.latest.day,
    delta: movement?.delta ?? null,
    delta_since: movement?.since ?? null,
    scored_at: market.scores?.scored_at ?? null,
  };
}

/** The own app has the title of its listing, as in `app_title`: it may have changed since the snapshot. */
function titleOf(app: RankedApp, listing: ListingName): string | null {
  return app.app_id === listing.app_id ? (listing.title ?? app.title) : app.title;
}

function checkQuery(request: ListKeywordsRequest): KeywordQuery {
  const { search, min_traffic: minTraffic, max_difficulty: maxDifficulty } = request;
  const order = checkOrder(request);
  return {
    filter: checkFilter(request),
    order,
    search: search == null ? null : checkText('search', search, 1, maxSearchLength),
    minTraffic: minTraffic == null ? null : checkInteger('min_traffic', minTraffic, 0, 100),
    maxDifficulty: maxDifficulty == null ? null : checkInteger('max_difficulty', maxDifficulty, 0, 100),
    oldestDay: order?.by === 'delta' ? checkDay('oldest_day', request.oldest_day ?? '') : '',
  };
}

function checkOrder({ order }: ListKeywordsRequest): KeywordOrder | null {
  if (order == null) return null;
  const by = orderFields[order.field];
  if (by === undefined) throw invalidParams({ order: 'must name a field to order by' });
  return { by, isDescending: order.descending };
}

function checkFilter(request: ListKeywordsRequest): KeywordFilter {
  const filter: KeywordFilter = { account_id: checkAccountId(request.account_id) };
  if (request.app_id != null) filter.listing_id = checkId('app_id', request.app_id);
  if (request.favorites_only) filter.favorite_order = 0;
  return filter;
}

/**
 * The filter without keywords of apps whose removal is pending.
 * @throws APP_NOT_FOUND when the account does not track the requested application
 */
async function narrow({ trackedApps }: Deps, filter: KeywordFilter): Promise<KeywordFilter> {
  const { account_id: accountId, listing_id: listingId } = filter;
  if (typeof listingId === 'number') {
    if (await trackedApps.isActive({ account_id: accountId, listing_id: listingId })) return filter;
    throw appNotTracked();
  }
  return { ...filter, ...(await trackedApps.selectTracked(accountId)) };
}
