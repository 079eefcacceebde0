import type {
  AppRankHistory,
  GetRankHistoryReply,
  GetRankHistoryRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import { maxDepth, rankOf } from '../domain/snapshot.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { DayPage, SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { keywordNeverTracked, lookUpIn, missingRecord } from '../tracking-errors.ts';

type Deps = {
  keywordMarkets: KeywordMarketStore;
  listings: ListingStore;
  snapshots: SnapshotStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  competitors: CompetitorStore;
};

/**
 * The ranks on each day of a window, for every app that the account tracks or tracked the keyword for. With an app id
 * only for that app, also for a competitor of one of these. A day without a snapshot has no row.
 * @throws NOT_FOUND, APP_NOT_FOUND, INVALID_PARAMS
 */
export async function getRankHistory(
  deps: Deps,
  request: GetRankHistoryRequest,
): Promise<GetRankHistoryReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  const onlyAppId = request.app_id == null ? null : checkId('app_id', request.app_id);
  const { from, to } = checkWindow(request.from, request.to);

  const listingIds = await findListingIds(deps, accountId, keywordId, onlyAppId);
  const [[market], listings, snapshots] = await Promise.all([
    deps.keywordMarkets.findMany([keywordId]),
    deps.listings.findNames(listingIds),
    deps.snapshots.listBetween(keywordId, from, to),
  ]);
  if (!market) throw missingRecord(`keyword market ${keywordId}`);
  return {
    keyword_id: keywordId,
    keyword: market.keyword,
    store: market.store,
    country: market.country,
    lang: market.lang,
    apps: listingIds.map(lookUpIn(listings, 'listing')).map((listing) => toHistory(listing, snapshots)),
    shallow_snapshots: snapshots
      .filter((snapshot) => snapshot.app_ids.length < maxDepth)
      .map((snapshot) => ({ date: snapshot.day, depth: snapshot.app_ids.length })),
  };
}

async function findListingIds(
  deps: Deps,
  accountId: string,
  keywordId: number,
  onlyAppId: number | null,
): Promise<number[]> {
  const ids = await deps.trackedKeywords.listingsOf(accountId, keywordId);
  if (ids.length === 0) throw keywordNeverTracked();
  if (onlyAppId === null) return ids;
  if (ids.includes(onlyAppId) || (await competesWithAny(deps, accountId, onlyAppId, ids))) return [onlyAppId];
  throw new AppError(
    'APP_NOT_FOUND',
    'No application and no competitor of this account with that id is compared for this keyword.',
  );
}

/**
 * Whether the account has the app as a competitor of one of the listings. Its history needs no tracking: a snapshot
 * holds the ranks of all apps.
 */
async function competesWithAny(
  { trackedApps, competitors }: Deps,
  accountId: string,
  competitorId: number,
  listingIds: readonly number[],
): Promise<boolean> {
  const filter = await trackedApps.selectTracked(accountId);
  const competedIds = await competitors.competedBy(filter, competitorId);
  return competedIds.some((id) => listingIds.includes(id));
}

function toHistory(listing: ListingName, snapshots: readonly DayPage[]): AppRankHistory {
  return {
    app_id: listing._id,
    app_title: listing.title,
    history: snapshots.map((snapshot) => ({
      date: snapshot.day,
      rank: rankOf(snapshot.app_ids, listing.app_id),
    })),
  };
}
