import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  KeywordTracking,
  ListKeywordTrackingReply,
  ListKeywordTrackingRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { rankOf } from '../domain/snapshot.ts';
import { hasSnapshot, type KeywordMarket, type KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { missingRecord } from '../tracking-errors.ts';

const maxRows = 1000;

type Deps = {
  keywordMarkets: KeywordMarketStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  listings: ListingStore;
};

/**
 * The account's applications that track a keyword in a storefront, newest first, with their ranks in its latest
 * snapshot. Empty when none tracks it. Applications under all tags of the language count.
 */
export async function listKeywordTracking(
  deps: Deps,
  request: ListKeywordTrackingRequest,
): Promise<ListKeywordTrackingReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword, storefront.lang);

  const markets = await deps.keywordMarkets.findUnderAliases(storefront, keyword);
  if (markets.length === 0) return { rows: [] };
  const filter = await deps.trackedApps.selectTracked(accountId);
  const keywordIds = markets.map(({ _id }) => _id);
  const rows = await deps.trackedKeywords.listNewest(filter, keywordIds, maxRows);
  return { rows: rows.length === 0 ? [] : await describe(deps, markets, rows) };
}

async function describe(
  { listings }: Deps,
  markets: readonly KeywordMarket[],
  rows: readonly TrackedKeyword[],
): Promise<KeywordTracking[]> {
  const rankedListings = await listings.findNames(rows.map((row) => row.listing_id));
  const listingById = new Map(rankedListings.map((listing) => [listing._id, listing]));
  const marketById = new Map(markets.map((market) => [market._id, market]));
  return rows.map((row) => {
    const listing = listingById.get(row.listing_id);
    if (!listing) throw missingRecord(`listing ${row.listing_id}`);
    const market = marketById.get(row.keyword_id);
    if (!market || !hasSnapshot(market))
      throw missingRecord(`the latest snapshot of keyword market ${row.keyword_id}`);
    return {
      app_id: row.listing_id,
      app_title: listing.title,
      current_rank: rankOf(market.latest.app_ids, listing.app_id),
      rank_date: market.latest.day,
      is_favorite: row.favorite_order === 0,
      tracked_since: row.tracked_since,
    };
  });
}
