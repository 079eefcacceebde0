import type { ReportQuotaUseReply, ReportQuotaUseRequest } from '@shelfwise/proto/notify/v1/notify';
import { checkAccountId, checkDay, checkInteger } from '@shelfwise/runtime/check-request';
import { quotaAlert } from '../domain/quota-alert.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { RuleStore } from '../stores/rule-store.ts';

type Deps = { rules: Pick<RuleStore, 'findEnabled'>; publishAlerts: PublishAlerts };

/**
 * Notifies an account that a part of its month's API requests is used: a rule once a month. Cost: a query, and what a new alert costs.
 * @throws INVALID_PARAMS
 */
export async function reportQuotaUse(
  { rules, publishAlerts }: Deps,
  request: ReportQuotaUseRequest,
): Promise<ReportQuotaUseReply> {
  const accountId = checkAccountId(request.account_id);
  const percent = checkInteger('percent', request.percent, 1, 100);
  const use = {
    percent,
    percent_before: checkInteger('percent_before', request.percent_before, 0, percent),
    day: checkDay('day', request.day),
  };
  const ofAccount = (await rules.findEnabled([accountId], ['quota_used'])).get(accountId) ?? [];
  await publishAlerts(ofAccount.flatMap((rule) => quotaAlert(use, rule) ?? []));
  return {};
}
