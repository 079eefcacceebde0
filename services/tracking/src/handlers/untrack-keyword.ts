import type { UntrackKeywordReply, UntrackKeywordRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { keywordUntracked } from '../domain/tracking-events.ts';
import { keywordNotTracked } from '../refusals.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** Stops tracking a keyword for an app. Its history stays; a second time changes nothing. */
export async function untrackKeyword(
  { trackedKeywords, now, wake }: TrackingParts,
  request: UntrackKeywordRequest,
  call: CallContext,
): Promise<UntrackKeywordReply> {
  const account_id = checkAccountId(request.account_id);
  const keyword_id = checkId('keyword_id', request.keyword_id);
  const app_id = checkId('app_id', request.app_id);

  const change = { at: now(), requestId: call.requestId };
  const event = keywordUntracked({ account_id, keyword_id, app_id }, change);
  const outcome = await trackedKeywords.untrack(
    { account_id, listing_id: app_id, keyword_id },
    change.at,
    event,
  );
  if (outcome === 'unknown') throw keywordNotTracked();
  if (outcome === 'removed') wake();
  return { keyword_id, app_id, already_removed: outcome === 'already removed' };
}
