import { checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import { keywordProblem, normalizeKeyword } from '../text/keyword.ts';

/** A normal form can be some 18 times as short or long as what was sent; beyond this nobody means a keyword. */
const maxSentLength = 2000;

/**
 * The keyword of a request in its normal form; `field` is what the request calls it.
 * @throws INVALID_PARAMS when no store can be searched for it
 */
export function checkKeyword(sent: string, field = 'keyword'): string {
  const keyword = normalizeKeyword(checkText(field, sent, 1, maxSentLength));
  const problem = keywordProblem(keyword);
  if (problem !== null) throw invalidParams({ [field]: `cannot be searched for. ${problem}` });
  return keyword;
}
