import { normalizeKeyword, prefixProblem } from '@shelfwise/facts/text/keyword';
import { checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';

/** What identifies an app in either store is shorter. */
const maxAppIdLength = 255;
const maxRows = 200;
/** A normal form can be some 18 times as short or long as what was sent; beyond this it is no prefix. */
const maxSentPrefixLength = 1200;

/** @throws INVALID_PARAMS unless it has the length of an app's identifier */
export function checkAppId(field: string, appId: string): string {
  return checkText(field, appId, 1, maxAppIdLength);
}

/** How many rows are asked for. @throws INVALID_PARAMS below 1 and above what any store shows */
export function checkLimit(limit: number): number {
  if (limit < 1 || limit > maxRows) throw invalidParams({ limit: `must be 1 to ${maxRows}` });
  return limit;
}

/** The prefix in its normal form. @throws INVALID_PARAMS when no store can be asked for it */
export function checkPrefix(sent: string): string {
  const prefix = normalizeKeyword(checkText('prefix', sent, 1, maxSentPrefixLength));
  const problem = prefixProblem(prefix);
  if (problem !== null) throw invalidParams({ prefix: `cannot be completed. ${problem}` });
  return prefix;
}
