import type { JobBatch, RunJobBatchRequest } from '@shelfwise/proto/jobs/v1/jobs';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clients } from '../clients.ts';
import { explainCapReached } from '../limits/count-use.ts';
import { toQuotaUsage, type UsageCounters } from '../limits/usage-counters.ts';
import { explainQuotaExceeded } from '../middleware/enforce-quota.ts';
import { findPlan, type PlanLimits, type Plans } from '../plans/plans.ts';
import { kindOf } from '../routes/shapes/job.ts';

type Refusal = NonNullable<RunJobBatchRequest['refusal']>;
type Granted = RunJobBatchRequest['items'][number];

export type SpendBatch = (batch: JobBatch, call: CallOptions) => Promise<RunJobBatchRequest>;

/**
 * Counts what the keywords of a batch spend, by the account's plan as it is now, and says which may run. Tracking spends nothing
 * here. An inspection spends an API request, and a use of its feature unless the account tracks the keyword. What an earlier attempt
 * has counted is not counted again. @throws the failure of the database or of tracking; nothing runs then
 */
export function createSpendBatch(deps: {
  accounts: Pick<Accounts, 'read'>;
  plans: Plans;
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  tracking: Pick<Clients['tracking'], 'listKeywordTracking'>;
  now: () => Date;
}): SpendBatch {
  const { accounts, plans, counters, tracking, now } = deps;

  async function spendInspection(
    { account_id: accountId, target }: JobBatch,
    keyword: string,
    limits: PlanLimits,
    call: CallOptions,
  ): Promise<{ isCapped: boolean } | Refusal> {
    const storefront = target?.storefront ?? null;
    const { rows } = await tracking.listKeywordTracking({ account_id: accountId, storefront, keyword }, call);
    const isCapped = rows.length === 0;
    const request = { accountId, counter: 'api_requests', at: now() } as const;
    const quota = await counters.spend({ ...request, cap: limits.api_requests_per_month });
    if (quota) return { code: 'QUOTA_EXCEEDED', message: explainQuotaExceeded(toQuotaUsage(quota)) };
    if (!isCapped) return { isCapped };
    const use = { ...request, counter: 'keyword_inspections' } as const;
    const reached = await counters.spend({ ...use, cap: limits.keyword_inspections_per_month });
    if (!reached) return { isCapped };
    await counters.refund(request);
    return { code: 'PLAN_LIMIT', message: explainCapReached('keyword_inspections', reached) };
  }

  return async (batch, call) => {
    const request = { job_id: batch.job_id, claim: batch.claim };
    const account = await accounts.read({ id: batch.account_id });
    // Its rows are about to be deleted.
    if (!account) return { ...request, items: [], refusal: accountDeleted };
    const { limits } = findPlan(plans, account.plan);
    const maxKeywords = { max_keywords: limits.keywords };
    const items: Granted[] = [];
    for (const { position, text, is_spent } of batch.items) {
      const isFree = is_spent || kindOf({ id: batch.job_id }) === 'track_keywords';
      const spent = isFree ? { isCapped: false } : await spendInspection(batch, text, limits, call);
      if ('code' in spent) return { ...request, ...maxKeywords, items, refusal: spent };
      items.push({ position, is_capped: spent.isCapped });
    }
    return { ...request, ...maxKeywords, items, refusal: null };
  };
}

const accountDeleted: Refusal = { code: 'NOT_FOUND', message: 'The account is deleted.' };
