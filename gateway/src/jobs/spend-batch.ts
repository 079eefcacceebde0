import type { JobBatch, RunJobBatchRequest } from '@shelfwise/proto/jobs/v1/jobs';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clients } from '../clients.ts';
import { explainCapReached } from '../limits/count-use.ts';
import { toQuotaUsage, type UsageCounters } from '../limits/usage-counters.ts';
import { explainQuotaExceeded } from '../middleware/enforce-quota.ts';
import type { PlanLimits, Plans } from '../plans/plans.ts';
import { kindOf } from '../routes/shapes/job.ts';

type Refusal = NonNullable<RunJobBatchRequest['refusal']>;
type Granted = RunJobBatchRequest['items'][number];
/** API requests, and uses of the capped feature. */
type Spent = { requests: number; uses: number };

export type SpendBatch = (batch: JobBatch, call: CallOptions) => Promise<RunJobBatchRequest>;

/**
 * Counts what the keywords of a batch spend, by the account's plan as it is now, and says which may run. Tracking spends nothing
 * here. An inspection spends an API request, and a use of its feature unless the account tracks the keyword. What an attempt that was
 * interrupted has counted is not counted again.
 * @throws the failure of the database or of tracking; nothing runs then, and what was counted is refunded
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
    const spent = { ...use, cap: limits.keyword_inspections_per_month };
    const reached = await counters.spend(spent).catch(async (error: unknown) => {
      await counters.refund(request);
      throw error;
    });
    if (!reached) return { isCapped };
    await counters.refund(request);
    return { code: 'PLAN_LIMIT', message: explainCapReached('keyword_inspections', reached) };
  }

  return async (batch, call) => {
    const request = { job_id: batch.job_id, claim: batch.claim };
    const account = await accounts.read({ id: batch.account_id });
    // Its rows are about to be deleted.
    if (!account) return { ...request, items: [], refusal: accountDeleted };
    const plan = plans.get(account.plan);
    if (!plan) return { ...request, ...grantSpent(batch), refusal: planUnknown(account.plan) };
    const { limits } = plan;
    const maxKeywords = { max_keywords: limits.keywords };
    const items: Granted[] = [];
    let refusal: Refusal | null = null;
    const at = now();
    try {
      for (const { position, text, is_spent } of batch.items) {
        if (is_spent || isTracking(batch)) items.push({ position, is_capped: false });
        else if (refusal === null) {
          const spent = await spendInspection(batch, text, limits, call);
          if ('code' in spent) refusal = spent;
          else items.push({ position, is_capped: spent.isCapped });
        }
      }
    } catch (error) {
      await refundSpent(counters, account.id, countSpent(batch, items), at);
      throw error;
    }
    return { ...request, ...maxKeywords, items, refusal };
  };
}

/** What an attempt that was interrupted has counted still runs; of what it tracks, it finds what it has tracked. */
function grantSpent({ items }: JobBatch): Pick<RunJobBatchRequest, 'items' | 'max_keywords'> {
  const spent = items.filter(({ is_spent }) => is_spent);
  return { items: spent.map(({ position }) => ({ position, is_capped: false })), max_keywords: 0 };
}

/** What the granted items of a batch have just been counted as. */
export function countSpent(batch: Pick<JobBatch, 'job_id' | 'items'>, granted: readonly Granted[]): Spent {
  if (isTracking(batch)) return { requests: 0, uses: 0 };
  const before = new Set(batch.items.flatMap(({ position, is_spent }) => (is_spent ? [position] : [])));
  const counted = granted.filter(({ position }) => !before.has(position));
  return { requests: counted.length, uses: counted.filter(({ is_capped }) => is_capped).length };
}

export const isTracking = ({ job_id: id }: Pick<JobBatch, 'job_id'>): boolean =>
  kindOf({ id }) === 'track_keywords';

/** @param at when it was counted */
export async function refundSpent(
  counters: Pick<UsageCounters, 'refund'>,
  accountId: string,
  { requests, uses }: Spent,
  at: Date,
): Promise<void> {
  for (let count = 0; count < requests; count++)
    await counters.refund({ accountId, counter: 'api_requests', at });
  for (let count = 0; count < uses; count++)
    await counters.refund({ accountId, counter: 'keyword_inspections', at });
}

const accountDeleted: Refusal = { code: 'NOT_FOUND', message: 'The account is deleted.' };

/** The operator has taken it out of the plans file: calls with a key are refused, too. */
const planUnknown = (plan: string): Refusal => ({
  code: 'PLAN_REQUIRED',
  message: `The plan "${plan}" does not exist any more.`,
});
