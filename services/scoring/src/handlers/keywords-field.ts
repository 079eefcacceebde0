import { countUnits, maxKeywordsFieldUnits, normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import type {
  DeleteKeywordsFieldReply,
  DeleteKeywordsFieldRequest,
  GetKeywordsFieldReply,
  GetKeywordsFieldRequest,
  SetKeywordsFieldReply,
  SetKeywordsFieldRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { utcDay } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import { requestKeywordsFields } from '../audits/request-keywords-fields.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';
import type { FieldKey, KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import type { TermStore } from '../stores/term-store.ts';

/**
 * How many changes on one UTC day request words at once: of a field, and of all fields of an account. They spend the
 * budget of the store, which all accounts share. The words of a later change are requested by the next daily audit.
 */
const maxChangesPerDay = 10;
const maxChangesOfAccountPerDay = 50;

type Deps = {
  keywordsFields: Pick<KeywordsFieldStore, 'find' | 'save' | 'countChanges' | 'remove'>;
  terms: Pick<TermStore, 'requestMeasuring'>;
  now: () => Date;
};

/**
 * The keywords field that an account keeps for an app; without one both values are null.
 * @throws INVALID_PARAMS
 */
export async function getKeywordsField(
  { keywordsFields }: Pick<Deps, 'keywordsFields'>,
  request: GetKeywordsFieldRequest,
): Promise<GetKeywordsFieldReply> {
  const kept = await keywordsFields.find(checkKey(request));
  return { kw_field: kept?.kw_field ?? null, updated_at: kept?.updated_at ?? null };
}

/**
 * Keeps the App Store's keywords field of an app for an account, and requests its words. The same field again changes
 * nothing and requests the words again, so that a call which failed halfway can be repeated.
 * @throws INVALID_PARAMS for a field that is too long or cannot be stored, and for an app of Google Play
 */
export async function setKeywordsField(
  { keywordsFields, terms, now }: Deps,
  request: SetKeywordsFieldRequest,
): Promise<SetKeywordsFieldReply> {
  const accountId = checkAccountId(request.account_id);
  const { id, storefront } = readTrackedListing(request.app);
  if (storefront.store !== 'ITUNES')
    throw invalidParams({
      kw_field: 'must not be sent for an app of Google Play, which has no keywords field',
    });
  const text = checkKeywordsField(request.kw_field);
  const at = now();
  const { changes, ...kept } = await keywordsFields.save({ account_id: accountId, listing_id: id }, text, at);
  const isWithinLimits =
    changes <= maxChangesPerDay &&
    (await keywordsFields.countChanges(accountId, utcDay(at))) <= maxChangesOfAccountPerDay;
  if (isWithinLimits) await requestKeywordsFields({ terms }, storefront, [text], at);
  return kept;
}

/**
 * Removes the keywords field that an account keeps for an app, so that it is unknown again.
 * @throws INVALID_PARAMS
 */
export async function deleteKeywordsField(
  { keywordsFields, now }: Pick<Deps, 'keywordsFields' | 'now'>,
  request: DeleteKeywordsFieldRequest,
): Promise<DeleteKeywordsFieldReply> {
  return { already_removed: !(await keywordsFields.remove(checkKey(request), now())) };
}

function checkKey(request: GetKeywordsFieldRequest | DeleteKeywordsFieldRequest): FieldKey {
  return {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
}

function checkKeywordsField(kwField: string): string {
  const length = countUnits(kwField);
  if (length > maxKeywordsFieldUnits)
    throw invalidParams({
      kw_field: `must have at most ${maxKeywordsFieldUnits} characters, as the App Store counts them; it has ${length}`,
    });
  if (hasInvalidCharacters(kwField))
    throw invalidParams({ kw_field: 'must not contain NUL or broken Unicode' });
  return normalizeNewlines(kwField);
}
