import type {
  DeleteKeywordsFieldReply,
  DeleteKeywordsFieldRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';

type Deps = { keywordsFields: Pick<KeywordsFieldStore, 'remove'>; now: () => Date };

/**
 * Removes the keywords field that an account keeps for an app, so that it is unknown again.
 * @throws INVALID_PARAMS
 */
export async function deleteKeywordsField(
  { keywordsFields, now }: Deps,
  request: DeleteKeywordsFieldRequest,
): Promise<DeleteKeywordsFieldReply> {
  const key = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  return { already_removed: !(await keywordsFields.remove(key, now())) };
}
