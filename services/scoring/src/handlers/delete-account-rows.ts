import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import type { JobTarget } from '@shelfwise/proto/jobs/v1/jobs';
import type { BulkJobs } from '@shelfwise/runtime/bulk/bulk-jobs';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { DeletedAccountStore } from '@shelfwise/runtime/mongo/deleted-account-store';
import type { ReservationStore } from '@shelfwise/runtime/mongo/reservation-store';
import { deleteRowsOfAccount } from '@shelfwise/runtime/service/delete-rows-of-account';
import type { InspectionStore } from '../stores/inspection-store.ts';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import type { SimulationRunStore } from '../stores/simulation-run-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';

type Deps = {
  deletedAccounts: Pick<DeletedAccountStore, 'add'>;
  simulationRuns: Pick<SimulationRunStore, 'deleteAccount'>;
  inspections: Pick<InspectionStore, 'deleteAccount'>;
  keywordsFields: Pick<KeywordsFieldStore, 'deleteAccount'>;
  watchers: Pick<WatcherStore, 'deleteAccount'>;
  trackedTerms: Pick<TrackedTermStore, 'deleteAccount'>;
  bulkJobs: Pick<BulkJobs<JobTarget>, 'deleteAccount'>;
  reservations: Pick<ReservationStore, 'deleteAccount'>;
  now: () => Date;
};

/**
 * Deletes the simulations, inspections, jobs and keywords fields of an account, and the copies of what it tracked. Listings, scores
 * and audits are shared and kept. A hash of the account's id is kept for good, so that a late event creates no row again.
 */
export async function deleteAccountRows(
  deps: Deps,
  request: DeleteAccountRowsRequest,
  call: Pick<CallContext, 'signal'>,
): Promise<DeleteAccountRowsReply> {
  const { simulationRuns, inspections, keywordsFields, watchers, trackedTerms, bulkJobs, reservations } =
    deps;
  await deps.deletedAccounts.add(checkAccountId(request.account_id), deps.now());
  const stores = [
    simulationRuns,
    inspections,
    bulkJobs,
    keywordsFields,
    watchers,
    trackedTerms,
    reservations,
  ];
  return deleteRowsOfAccount(stores, request, call);
}
