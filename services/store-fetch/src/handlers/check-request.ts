import { normalizeKeyword, prefixProblem } from '@shelfwise/facts/text/keyword';
import { checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';

/** Longer than any app identifier of either store. */
const maxAppIdLength = 255;
const maxRows = 200;
/** Normalization changes a text's length by up to a factor of about 18; a longer text cannot be a valid prefix. */
const maxSentPrefixLength = 1200;

/** @throws INVALID_PARAMS unless it has 1 to 255 UTF-16 units */
export function checkAppId(field: string, appId: string): string {
  return checkText(field, appId, 1, maxAppIdLength);
}

/** The number of requested rows. @throws INVALID_PARAMS unless it is 1 to 200 */
export function checkLimit(limit: number): number {
  if (limit < 1 || limit > maxRows) throw invalidParams({ limit: `must be 1 to ${maxRows}` });
  return limit;
}

/** The prefix in normal form in a language (BCP 47). @throws INVALID_PARAMS when it cannot be completed */
export function checkPrefix(sent: string, lang: string): string {
  const prefix = normalizeKeyword(checkText('prefix', sent, 1, maxSentPrefixLength), lang);
  const problem = prefixProblem(prefix);
  if (problem !== null) throw invalidParams({ prefix: `cannot be completed. ${problem}` });
  return prefix;
}

/** @throws INVALID_PARAMS for a timestamp beyond the range of a Date */
export function checkMoment(field: string, moment: Date | null): Date | null {
  if (moment !== null && Number.isNaN(moment.getTime()))
    throw invalidParams({ [field]: 'must be a valid timestamp' });
  return moment;
}
