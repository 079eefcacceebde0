import { type Alert, noEvidence } from './alert.ts';
import type { Rule } from './rule.ts';

/** A further part of a month's API requests is used. */
export type QuotaUse = {
  /** 1 to 100 */
  percent: number;
  /** what was reported last in the month; 0: nothing */
  percent_before: number;
  /** YYYY-MM-DD, UTC */
  day: string;
};

/** What a rule says when its threshold was reached since the last report; null: nothing. */
export function quotaAlert({ percent, percent_before: before, day }: QuotaUse, rule: Rule): Alert | null {
  const { id, account_id, kind, threshold } = rule;
  if (threshold === null || threshold <= before || threshold > percent) return null;
  const found = { account_id, rule_id: id, kind, threshold, app: null, after: percent };
  return { ...noEvidence, ...found, day_before: null, day_after: day };
}
