import type { Keyword, ListKeywordsReply, ListKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkInteger } from '@shelfwise/runtime/check-request';
import { createRankView } from '../rank-view.ts';
import { appNotTracked } from '../refusals.ts';
import type { KeywordFilter } from '../stores/tracked-keyword-store.ts';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';

const maxPage = 1_000_000;
const maxPerPage = 1000;

/** One page of the account's keywords with their latest ranks: favorites first, then by keyword. */
export async function listKeywords(
  parts: TrackingParts,
  request: ListKeywordsRequest,
): Promise<ListKeywordsReply> {
  const filter = await checkFilter(parts, request);
  const limit = checkInteger('per_page', request.per_page, 1, maxPerPage);
  const skip = (checkInteger('page', request.page, 1, maxPage) - 1) * limit;

  const [rows, total] = await Promise.all([
    parts.trackedKeywords.list(filter, { skip, limit }),
    parts.trackedKeywords.count(filter),
  ]);
  const view = await createRankView(parts, rows);
  const keywords = rows.map((row): Keyword => {
    const { market, listing, rank, ahead, behind } = view.read(row);
    return {
      keyword_id: row.keyword_id,
      keyword: market.keyword,
      store: market.store,
      country: market.country,
      lang: market.lang,
      difficulty_score: market.scores?.difficulty ?? null,
      traffic_score: market.scores?.traffic ?? null,
      app_id: listing._id,
      app_title: listing.title,
      current_rank: rank,
      ahead,
      behind,
      ranking: market.latest.top.map((app, index) => ({ ...app, rank: index + 1 })),
      is_favorite: row.favorite_order === 0,
      tracked_since: row.tracked_since,
      snapshot_depth: market.latest.app_ids.length,
    };
  });
  return { keywords, total };
}

/** @throws APP_NOT_FOUND when the account does not track the application that is asked for */
async function checkFilter(parts: TrackingParts, request: ListKeywordsRequest): Promise<KeywordFilter> {
  const accountId = checkAccountId(request.account_id);
  const favorites = request.favorites_only ? ({ favorite_order: 0 } as const) : {};
  if (request.app_id == null) return { ...(await trackedByAccount(parts, accountId)), ...favorites };
  const listingId = checkId('app_id', request.app_id);
  if (!(await parts.trackedApps.isActive({ account_id: accountId, listing_id: listingId })))
    throw appNotTracked();
  return { account_id: accountId, listing_id: listingId, ...favorites };
}
