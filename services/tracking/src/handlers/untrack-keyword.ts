import type { UntrackKeywordReply, UntrackKeywordRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { keywordUntracked } from '../domain/tracking-events.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { keywordNotTracked } from '../tracking-errors.ts';

type Deps = {
  trackedKeywords: TrackedKeywordStore;
  now: () => Date;
  wakeRelay: WakeRelay;
};

/** Stops tracking a keyword for an app. Its history stays; a second call changes nothing. */
export async function untrackKeyword(
  { trackedKeywords, now, wakeRelay }: Deps,
  request: UntrackKeywordRequest,
  call: CallContext,
): Promise<UntrackKeywordReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  const appId = checkId('app_id', request.app_id);

  const { requestId } = call;
  const row = { account_id: accountId, keyword_id: keywordId, app_id: appId };
  const outcome = await trackedKeywords.untrack(
    { account_id: accountId, listing_id: appId, keyword_id: keywordId },
    now(),
    (at) => keywordUntracked(row, { at, requestId }),
  );
  if (outcome === 'unknown') throw keywordNotTracked();
  if (outcome === 'removed') wakeRelay(trackedKeywords.model);
  return { keyword_id: keywordId, app_id: appId, already_removed: outcome === 'already removed' };
}
