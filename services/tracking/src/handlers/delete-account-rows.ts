import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import type { JobTarget } from '@shelfwise/proto/jobs/v1/jobs';
import type { BulkJobs } from '@shelfwise/runtime/bulk/bulk-jobs';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { published } from '@shelfwise/runtime/events/outbox';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { ReservationStore } from '@shelfwise/runtime/mongo/reservation-store';
import type { AppRemovals } from '../accounts/app-removals.ts';
import { applicationUntracked } from '../domain/tracking-events.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { NoteStore } from '../stores/note-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

const appsPerBatch = 20;

type Deps = {
  trackedApps: Pick<TrackedAppStore, 'listActive' | 'untrack' | 'deleteRemoved' | 'countRows'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'deleteRemoved' | 'countRows'>;
  competitors: Pick<CompetitorStore, 'deleteAccount'>;
  notes: Pick<NoteStore, 'deleteAccount'>;
  bulkJobs: Pick<BulkJobs<JobTarget>, 'deleteAccount'>;
  reservations: Pick<ReservationStore, 'deleteAccount'>;
  appRemovals: Pick<AppRemovals, 'complete'>;
  accountLocks: LocksByKey;
  /** False without an event bus: then rows need not wait until their events are published. */
  publishesEvents: boolean;
  now: () => Date;
  wakeRelay: () => void;
};

/**
 * Stops tracking everything that an account tracks, as `untrackApplication` does, and deletes its rows. A row is deleted
 * once its events are published, because the other services must learn that nothing is tracked any more. Snapshots,
 * listings and keyword markets are shared and kept.
 */
export async function deleteAccountRows(
  deps: Deps,
  request: DeleteAccountRowsRequest,
  call: CallContext,
): Promise<DeleteAccountRowsReply> {
  const { trackedApps, trackedKeywords, competitors } = deps;
  const { signal } = call;
  const accountId = checkAccountId(request.account_id);
  await untrackAll(deps, accountId, call);
  // The events of competitors are not needed: the service that receives them deletes its rows of the account, too.
  const deletable = deps.publishesEvents ? published : {};
  const deleted = [
    await competitors.deleteAccount(accountId, signal),
    await deps.notes.deleteAccount(accountId, signal),
    await deps.bulkJobs.deleteAccount(accountId, signal),
    await trackedKeywords.deleteRemoved(accountId, deletable, signal),
    await trackedApps.deleteRemoved(accountId, deletable, signal),
  ];
  const reservations = await deps.reservations.deleteAccount(accountId, signal);
  const rowsLeft = (await trackedKeywords.countRows(accountId)) + (await trackedApps.countRows(accountId));
  return {
    deleted: deleted.reduce((sum, { found }) => sum + found, 0),
    is_complete: rowsLeft === 0 && reservations.isComplete && deleted.every(({ isComplete }) => isComplete),
  };
}

async function untrackAll(deps: Deps, accountId: string, { signal, requestId }: CallContext): Promise<void> {
  const { trackedApps, appRemovals, accountLocks, now, wakeRelay } = deps;
  while (!signal.aborted) {
    const apps = await trackedApps.listActive(accountId, appsPerBatch);
    if (apps.length === 0) return;
    for (const { listing_id: id } of apps) {
      const eventAt = (at: Date) => applicationUntracked({ account_id: accountId, id }, { at, requestId });
      const key = { account_id: accountId, listing_id: id };
      await accountLocks.withLock(accountId, () => trackedApps.untrack(key, now(), eventAt));
      wakeRelay();
      await appRemovals.complete(key, requestId);
    }
  }
}
