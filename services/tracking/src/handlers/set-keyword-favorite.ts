import type {
  SetKeywordFavoriteReply,
  SetKeywordFavoriteRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { keywordFavoriteSet } from '../domain/tracking-events.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { keywordNotTracked } from '../tracking-errors.ts';

type Deps = {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  now: () => Date;
  wakeRelay: WakeRelay;
};

/** Sets or clears the favorite mark of one keyword of one app. A keyword whose app was removed is not found. */
export async function setKeywordFavorite(
  { trackedApps, trackedKeywords, now, wakeRelay }: Deps,
  request: SetKeywordFavoriteRequest,
  { requestId }: Pick<CallContext, 'requestId'>,
): Promise<SetKeywordFavoriteReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  const appId = checkId('app_id', request.app_id);

  const key = { account_id: accountId, listing_id: appId, keyword_id: keywordId };
  if (!(await trackedApps.isActive({ account_id: accountId, listing_id: appId }))) throw keywordNotTracked();
  const set = {
    account_id: accountId,
    keyword_id: keywordId,
    app_id: appId,
    is_favorite: request.is_favorite,
  };
  const outcome = await trackedKeywords.setFavorite(key, request.is_favorite, now(), (at) =>
    keywordFavoriteSet(set, { at, requestId }),
  );
  if (outcome === 'unknown') throw keywordNotTracked();
  if (outcome === 'set') wakeRelay(trackedKeywords.model);
  return { keyword_id: keywordId, app_id: appId, is_favorite: request.is_favorite };
}
