import type {
  UntrackApplicationReply,
  UntrackApplicationRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { applicationUntracked } from '../domain/tracking-events.ts';
import { appNotTracked } from '../refusals.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** An ordinary application's keywords are gone by then; of thousands the rest follows after the answer. */
const sweepMs = 2000;

/**
 * Stops tracking an application, its competitors and its keywords. Nothing is deleted; a second time changes nothing.
 * From the first write on nobody is shown any of them, so the answer need not wait for the last one.
 */
export async function untrackApplication(
  { trackedApps, applicationSweeper, locks, now, wake }: TrackingParts,
  request: UntrackApplicationRequest,
  call: CallContext,
): Promise<UntrackApplicationReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const key = { account_id: accountId, listing_id: id };

  const isRemoved = await locks.withLock(accountId, async () => {
    if (!(await trackedApps.find(key))) throw appNotTracked();
    const change = { at: now(), requestId: call.requestId };
    const event = applicationUntracked({ account_id: accountId, id }, change);
    return trackedApps.untrack(key, change.at, event);
  });
  if (isRemoved) wake();
  await applicationSweeper.sweepFor(sweepMs, key, call.requestId);
  return { id, already_removed: !isRemoved };
}
