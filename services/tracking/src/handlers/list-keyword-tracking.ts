import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  KeywordTracking,
  ListKeywordTrackingReply,
  ListKeywordTrackingRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { rankOf } from '../domain/snapshot.ts';
import {
  hasSnapshot,
  type KeywordMarketStore,
  type KeywordMarketWithSnapshot,
} from '../stores/keyword-market-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { lookUpIn, missingRecord } from '../tracking-errors.ts';

const maxRows = 1000;

type Deps = {
  keywordMarkets: KeywordMarketStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  listings: ListingStore;
};

/**
 * The account's applications that track a keyword in a storefront, newest first, with their ranks in its latest
 * snapshot. Empty when none tracks it.
 */
export async function listKeywordTracking(
  deps: Deps,
  request: ListKeywordTrackingRequest,
): Promise<ListKeywordTrackingReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword, storefront.lang);

  // Most are not tracked. A tracked one is read again below, because the rows must not be older than the filter.
  if (!(await deps.trackedKeywords.isTracked(accountId, keyword))) return { rows: [] };
  const market = await deps.keywordMarkets.find(storefront, keyword);
  if (!market) return { rows: [] };
  const filter = await deps.trackedApps.selectTracked(accountId);
  const rows = await deps.trackedKeywords.listNewest(filter, market._id, maxRows);
  if (rows.length === 0) return { rows: [] };
  if (!hasSnapshot(market)) throw missingRecord(`the latest snapshot of keyword market ${market._id}`);
  return { rows: await describe(deps, market, rows) };
}

async function describe(
  { listings }: Deps,
  { latest }: KeywordMarketWithSnapshot,
  rows: readonly TrackedKeyword[],
): Promise<KeywordTracking[]> {
  const listingOf = lookUpIn(await listings.findNames(rows.map((row) => row.listing_id)), 'listing');
  return rows.map((row) => {
    const listing = listingOf(row.listing_id);
    return {
      app_id: row.listing_id,
      app_title: listing.title,
      current_rank: rankOf(latest.app_ids, listing.app_id),
      rank_date: latest.day,
      is_favorite: row.favorite_order === 0,
      tracked_since: row.tracked_since,
    };
  });
}
