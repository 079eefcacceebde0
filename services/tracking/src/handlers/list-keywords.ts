import type { Keyword, ListKeywordsReply, ListKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkPage } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { RankedApp } from '../domain/snapshot.ts';
import { checkKeywordQuery, maxKeywordsPerPage } from '../keywords/check-keyword-query.ts';
import type { Movement } from '../keywords/order-keywords.ts';
import type { OrderingTurns } from '../keywords/ordering-turns.ts';
import { readKeywordPage } from '../keywords/read-keyword-page.ts';
import { type RankPosition, readRankPositions } from '../snapshots/read-rank-positions.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { RankedAppStore } from '../stores/ranked-app-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { KeywordFilter, ListedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked } from '../tracking-errors.ts';

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
  const wanted = checkKeywordQuery(request, checkFilter(request));
  const page = checkPage(request, maxKeywordsPerPage);

  // Before the rows: if they were older, they could be those of a removal that is no longer pending.
  const query = { ...wanted, filter: await narrow(deps, wanted.filter) };
  const { found, count } = await readKeywordPage(deps, query, page, signal);
  const [positions, total] = await Promise.all([
    readRankPositions(
      deps,
      found.map(({ row }) => row),
    ),
    count(),
  ]);
  return { keywords: positions.map((position, index) => toKeyword(position, found[index]?.movement)), total };
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
    kei_score: market.scores?.kei ?? null,
    kei_reason: market.scores?.kei_reason ?? null,
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
