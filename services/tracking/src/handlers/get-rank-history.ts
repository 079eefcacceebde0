import type {
  AppRankHistory,
  GetRankHistoryReply,
  GetRankHistoryRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import { maxDepth, rankOf, type Snapshot } from '../domain/snapshot.ts';
import { appNotTracked, unreadable } from '../refusals.ts';
import type { ListingName } from '../stores/listing-store.ts';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/**
 * The ranks of every app that the account tracks a keyword for, or once did, on each day of a window; or of one of them,
 * or of a competitor of one of them. A day without a snapshot has no row.
 */
export async function getRankHistory(
  parts: TrackingParts,
  request: GetRankHistoryRequest,
): Promise<GetRankHistoryReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  const onlyApp = request.app_id == null ? null : checkId('app_id', request.app_id);
  const { from, to } = checkWindow(request.from, request.to);

  const listingIds = await findListings(parts, accountId, keywordId, onlyApp);
  const [[market], listings, snapshots] = await Promise.all([
    parts.markets.findMany([keywordId]),
    parts.listings.findNames(listingIds),
    parts.snapshots.listBetween(keywordId, from, to),
  ]);
  if (!market) throw unreadable(`market ${keywordId}`);
  const byId = new Map(listings.map((listing) => [listing._id, listing]));
  return {
    keyword_id: keywordId,
    keyword: market.keyword,
    store: market.store,
    country: market.country,
    apps: listingIds.map((id) => {
      const listing = byId.get(id);
      if (!listing) throw unreadable(`listing ${id}`);
      return toHistory(listing, snapshots);
    }),
    shallow_snapshots: snapshots
      .filter(({ app_ids: appIds }) => appIds.length < maxDepth)
      .map(({ day, app_ids: appIds }) => ({ date: day, depth: appIds.length })),
  };
}

async function findListings(
  parts: TrackingParts,
  accountId: string,
  keywordId: number,
  onlyApp: number | null,
): Promise<number[]> {
  const ids = await parts.trackedKeywords.listingsOf(accountId, keywordId);
  if (ids.length === 0)
    throw new AppError('NOT_FOUND', 'This account has never tracked a keyword with that id.');
  if (onlyApp === null) return ids;
  if (ids.includes(onlyApp) || (await competesWith(parts, accountId, onlyApp, ids))) return [onlyApp];
  throw appNotTracked();
}

/** Snapshots hold everybody's ranks, so a competitor has its whole past from the moment that it is one. */
async function competesWith(
  { trackedApps, competitors }: TrackingParts,
  accountId: string,
  competitorId: number,
  ids: readonly number[],
): Promise<boolean> {
  const filter = await trackedByAccount({ trackedApps }, accountId);
  const competed = await competitors.competedBy(filter, competitorId);
  return competed.some((id) => ids.includes(id));
}

function toHistory(listing: ListingName, snapshots: readonly Snapshot[]): AppRankHistory {
  return {
    app_id: listing._id,
    app_title: listing.title,
    history: snapshots.map(({ day, app_ids: appIds }) => ({
      date: day,
      rank: rankOf(appIds, listing.app_id),
    })),
  };
}
