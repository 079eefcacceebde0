import type {
  DeleteAccountRowsReply,
  DeleteAccountRowsRequest,
} from '@shelfwise/proto/account/v1/account_rows';
import { checkAccountId } from '../check-request.ts';
import type { CallContext } from '../grpc/grpc-types.ts';

type AccountRowStore = {
  deleteAccount(accountId: string, signal: AbortSignal): Promise<{ found: number; isComplete: boolean }>;
};

/** Deletes the rows of an account in these stores, until the caller leaves. */
export async function deleteRowsOfAccount(
  stores: readonly AccountRowStore[],
  request: DeleteAccountRowsRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<DeleteAccountRowsReply> {
  const accountId = checkAccountId(request.account_id);
  const reply = { deleted: 0, is_complete: true };
  for (const store of stores) {
    const { found, isComplete } = await store.deleteAccount(accountId, signal);
    reply.deleted += found;
    reply.is_complete &&= isComplete;
  }
  return reply;
}
