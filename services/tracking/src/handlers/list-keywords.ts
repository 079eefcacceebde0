import type { Keyword, ListKeywordsReply, ListKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkInteger } from '@shelfwise/runtime/check-request';
import type { RankedApp } from '../domain/snapshot.ts';
import { type RankPosition, readRankPositions } from '../snapshots/read-rank-positions.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { RankedAppStore } from '../stores/ranked-app-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { KeywordFilter, ListedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked } from '../tracking-errors.ts';

const maxPage = 1_000_000;
const maxPerPage = 1000;

type Deps = {
  keywordMarkets: KeywordMarketStore;
  listings: ListingStore;
  rankedApps: RankedAppStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
};

/**
 * One page of the account's keywords, or of one application's, with their ranks in the latest snapshots: favorites
 * first, then by keyword.
 */
export async function listKeywords(deps: Deps, request: ListKeywordsRequest): Promise<ListKeywordsReply> {
  const wanted = checkFilter(request);
  const limit = checkInteger('per_page', request.per_page, 1, maxPerPage);
  const skip = (checkInteger('page', request.page, 1, maxPage) - 1) * limit;

  // Before the rows: if they were older, they could be those of a removal that is no longer pending.
  const filter = await narrow(deps, wanted);
  // One row more tells whether there is a next page.
  const found = await deps.trackedKeywords.list(filter, { skip, limit: limit + 1 });
  const rows = found.slice(0, limit);
  // Only a last page that has rows tells the total by itself.
  const isLast = found.length <= limit && (found.length > 0 || skip === 0);
  const [positions, total] = await Promise.all([
    readRankPositions(deps, rows),
    isLast ? skip + found.length : deps.trackedKeywords.count(filter),
  ]);
  return { keywords: positions.map(toKeyword), total };
}

function toKeyword({ row, market, listing, rank, ahead, behind }: RankPosition<ListedKeyword>): Keyword {
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
    })),
    is_favorite: row.favorite_order === 0,
    tracked_since: row.tracked_since,
    snapshot_depth: market.latest.app_ids.length,
    snapshot_date: market.latest.day,
    scored_at: market.scores?.scored_at ?? null,
  };
}

/** The own app has the title of its listing, as in `app_title`: it may have changed since the snapshot. */
function titleOf(app: RankedApp, listing: ListingName): string {
  return app.app_id === listing.app_id ? listing.title : app.title;
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
