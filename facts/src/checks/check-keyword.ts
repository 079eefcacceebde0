import { checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import { keywordProblem, normalizeKeyword } from '../text/keyword.ts';

/** Checked before normalization: NFKC can shrink or grow a text about 18-fold, and no real keyword is longer. */
const maxSentLength = 2000;

/**
 * The keyword of a request in its normal form in the language of its storefront (BCP 47). `field` is the name of the
 * request's field.
 * @throws INVALID_PARAMS when no store can search for it
 */
export function checkKeyword(sent: string, lang: string, field = 'keyword'): string {
  const keyword = normalizeKeyword(checkText(field, sent, 1, maxSentLength), lang);
  const problem = keywordProblem(keyword);
  if (problem !== null) throw invalidParams({ [field]: `cannot be searched for. ${problem}` });
  return keyword;
}
