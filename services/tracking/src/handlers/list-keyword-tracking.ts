import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  KeywordTracking,
  ListKeywordTrackingReply,
  ListKeywordTrackingRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { rankOf } from '../domain/snapshot.ts';
import { isRanked, type RankedMarket } from '../page-writer.ts';
import { unreadable } from '../refusals.ts';
import type { TrackedKeyword } from '../stores/tracked-keyword-store.ts';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';

const maxRows = 1000;

/** Which of the account's applications track a keyword in a storefront, newest first, and where each of them ranks. */
export async function listKeywordTracking(
  parts: TrackingParts,
  request: ListKeywordTrackingRequest,
): Promise<ListKeywordTrackingReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword);

  const market = await parts.markets.find(storefront, keyword);
  if (!market) return { rows: [] };
  const filter = { ...(await trackedByAccount(parts, accountId)), keyword_id: market._id };
  const rows = await parts.trackedKeywords.listNewest(filter, maxRows);
  if (rows.length === 0) return { rows: [] };
  if (!isRanked(market)) throw unreadable(`the result page of market ${market._id}`);
  return { rows: await describe(parts, market, rows) };
}

async function describe(
  { listings }: TrackingParts,
  market: RankedMarket,
  rows: readonly TrackedKeyword[],
): Promise<KeywordTracking[]> {
  const names = await listings.findNames(rows.map(({ listing_id: listingId }) => listingId));
  const byId = new Map(names.map((name) => [name._id, name]));
  return rows.map(({ listing_id: listingId, favorite_order: favoriteOrder, tracked_since: trackedSince }) => {
    const listing = byId.get(listingId);
    if (!listing) throw unreadable(`listing ${listingId}`);
    return {
      app_id: listingId,
      app_title: listing.title,
      current_rank: rankOf(market.latest.app_ids, listing.app_id),
      is_favorite: favoriteOrder === 0,
      tracked_since: trackedSince,
    };
  });
}
