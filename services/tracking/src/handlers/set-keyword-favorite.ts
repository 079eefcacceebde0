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
  const account_id = checkAccountId(request.account_id);
  const keyword_id = checkId('keyword_id', request.keyword_id);
  const app_id = checkId('app_id', request.app_id);
  const { is_favorite } = request;

  const key = { account_id, listing_id: app_id, keyword_id };
  if (!(await trackedApps.isActive({ account_id, listing_id: app_id }))) throw keywordNotTracked();
  if (!(await trackedKeywords.setFavorite(key, is_favorite))) throw keywordNotTracked();
  return { keyword_id, app_id, is_favorite };
}
