import type {
  UntrackApplicationReply,
  UntrackApplicationRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { checkAccountId, checkId } from '../check-request.ts';
import { applicationUntracked } from '../domain/tracking-events.ts';
import { appNotTracked } from '../refusals.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** Stops tracking an application and its keywords. Nothing is deleted; a second time changes nothing. */
export async function untrackApplication(
  { trackedApps, keywordSweeper, locks, now, wake }: TrackingParts,
  request: UntrackApplicationRequest,
  call: CallContext,
): Promise<UntrackApplicationReply> {
  const account_id = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const key = { account_id, listing_id: id };

  return locks.withLock(account_id, async () => {
    if (!(await trackedApps.find(key))) throw appNotTracked();
    const change = { at: now(), requestId: call.requestId };
    const event = applicationUntracked({ account_id, id }, change);
    const isRemoved = await trackedApps.untrack(key, change.at, event);
    if (isRemoved) wake();
    await keywordSweeper.sweep(key, call.requestId);
    return { id, already_removed: !isRemoved };
  });
}
