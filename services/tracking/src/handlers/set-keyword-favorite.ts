import type {
  SetKeywordFavoriteReply,
  SetKeywordFavoriteRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { keywordNotTracked } from '../refusals.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** Marks one tracked keyword of one app as a favorite, or not. A removed app's keywords are removed with it. */
export async function setKeywordFavorite(
  { trackedApps, trackedKeywords }: TrackingParts,
  request: SetKeywordFavoriteRequest,
): Promise<SetKeywordFavoriteReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  const appId = checkId('app_id', request.app_id);
  const { is_favorite: isFavorite } = request;

  const key = { account_id: accountId, listing_id: appId, keyword_id: keywordId };
  if (!(await trackedApps.isActive({ account_id: accountId, listing_id: appId }))) throw keywordNotTracked();
  if (!(await trackedKeywords.setFavorite(key, isFavorite))) throw keywordNotTracked();
  return { keyword_id: keywordId, app_id: appId, is_favorite: isFavorite };
}
