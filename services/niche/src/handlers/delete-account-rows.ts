import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { HistoryStore } from '../stores/history-store.ts';

type Deps = {
  history: Pick<HistoryStore, 'deleteAccount'>;
};

/** Deletes the history of an account. Analyses are shared and kept. */
export async function deleteAccountRows(
  { history }: Deps,
  request: DeleteAccountRowsRequest,
  call: CallContext,
): Promise<DeleteAccountRowsReply> {
  const accountId = checkAccountId(request.account_id);
  const { found, isComplete } = await history.deleteAccount(accountId, call.signal);
  return { deleted: found, is_complete: isComplete };
}
