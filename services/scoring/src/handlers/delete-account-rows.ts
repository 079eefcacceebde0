import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { DeletedAccountStore } from '@shelfwise/runtime/mongo/deleted-account-store';
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
  now: () => Date;
};

/**
 * Deletes the simulations, inspections and keywords fields of an account, and the copies of what it tracked. Listings, scores
 * and audits are shared and kept. A hash of the account's id is kept for good, so that a late event creates no row again.
 */
export async function deleteAccountRows(
  { deletedAccounts, simulationRuns, inspections, keywordsFields, watchers, trackedTerms, now }: Deps,
  request: DeleteAccountRowsRequest,
  call: Pick<CallContext, 'signal'>,
): Promise<DeleteAccountRowsReply> {
  await deletedAccounts.add(checkAccountId(request.account_id), now());
  const stores = [simulationRuns, inspections, keywordsFields, watchers, trackedTerms];
  return deleteRowsOfAccount(stores, request, call);
}
