import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { deleteRowsOfAccount } from '@shelfwise/runtime/service/delete-rows-of-account';
import { type AccountStores, accountRowsOf } from '../forget-account.ts';

type Deps = AccountStores & { now: () => Date };

/** Deletes the rules, channels and alerts of an account, and what it tracks. Its events that arrive later leave no rows. */
export async function deleteAccountRows(
  deps: Deps,
  request: DeleteAccountRowsRequest,
  call: CallContext,
): Promise<DeleteAccountRowsReply> {
  // First, so that an event that is being handled deletes what it writes.
  await deps.deletedAccounts.add(checkAccountId(request.account_id), deps.now());
  return deleteRowsOfAccount(accountRowsOf(deps), request, call);
}
