import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { AutocompleteStore } from '../stores/autocomplete-store.ts';

type Deps = {
  autocompletes: Pick<AutocompleteStore, 'deleteAccount'>;
};

/** Deletes the autocomplete history of an account. */
export async function deleteAccountRows(
  { autocompletes }: Deps,
  request: DeleteAccountRowsRequest,
  call: CallContext,
): Promise<DeleteAccountRowsReply> {
  const accountId = checkAccountId(request.account_id);
  const { found, isComplete } = await autocompletes.deleteAccount(accountId, call.signal);
  return { deleted: found, is_complete: isComplete };
}
