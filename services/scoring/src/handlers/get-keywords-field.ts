import type { GetKeywordsFieldReply, GetKeywordsFieldRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';

type Deps = { keywordsFields: Pick<KeywordsFieldStore, 'find'> };

/**
 * The keywords field that an account keeps for an app; without one both values are null.
 * @throws INVALID_PARAMS
 */
export async function getKeywordsField(
  { keywordsFields }: Deps,
  request: GetKeywordsFieldRequest,
): Promise<GetKeywordsFieldReply> {
  const accountId = checkAccountId(request.account_id);
  const kept = await keywordsFields.find({
    account_id: accountId,
    listing_id: checkId('app_id', request.app_id),
  });
  return { kw_field: kept?.kw_field ?? null, updated_at: kept?.updated_at ?? null };
}
