import type {
  UntrackApplicationReply,
  UntrackApplicationRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { AppRemovals } from '../accounts/app-removals.ts';
import { applicationUntracked } from '../domain/tracking-events.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked } from '../tracking-errors.ts';

/** Enough for the keywords of a typical application; larger removals continue after the answer. */
const removalMs = 2000;

type Deps = {
  trackedApps: TrackedAppStore;
  appRemovals: Pick<AppRemovals, 'completeWithin'>;
  accountLocks: LocksByKey;
  now: () => Date;
  wakeRelay: () => void;
};

/**
 * Stops tracking an application, its competitors and its keywords. Nothing is deleted; a second call changes nothing.
 * After the first write no list shows them, so the answer need not wait for the rest.
 */
export async function untrackApplication(
  { trackedApps, appRemovals, accountLocks, now, wakeRelay }: Deps,
  request: UntrackApplicationRequest,
  call: CallContext,
): Promise<UntrackApplicationReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const key = { account_id: accountId, listing_id: id };

  const { requestId } = call;
  const outcome = await accountLocks.withLock(accountId, () =>
    trackedApps.untrack(key, now(), (at) =>
      applicationUntracked({ account_id: accountId, id }, { at, requestId }),
    ),
  );
  if (outcome === 'unknown') throw appNotTracked();
  if (outcome === 'removed') wakeRelay();
  await appRemovals.completeWithin(removalMs, key, requestId);
  return { id, already_removed: outcome === 'already removed' };
}
