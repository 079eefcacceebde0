import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import type { PlanLimits } from '../plans/plans.ts';
import type { CapReached, UsageCounters } from './usage-counters.ts';

/** The counters that a plan may cap per month besides API requests, each with the name of its plan limit. */
const capSettings = {
  keyword_inspections: 'keyword_inspections_per_month',
  niche_analyses: 'niche_analyses_per_month',
  autocomplete_queries: 'autocomplete_queries_per_month',
  metadata_simulations: 'metadata_simulations_per_month',
} as const;

export type CappedCounter = keyof typeof capSettings;

const singulars: Readonly<Record<CappedCounter, string>> = {
  keyword_inspections: 'keyword inspection',
  niche_analyses: 'niche analysis',
  autocomplete_queries: 'autocomplete query',
  metadata_simulations: 'metadata simulation',
};

/**
 * Runs the work as one use of the counter. The use is reserved before the work, so concurrent calls cannot pass the cap. It
 * is refunded when the work fails, and when `isUse` says that the result is not a use. Work that fails after its caller
 * disconnected gets no refund; otherwise disconnecting would make every call free.
 * @param atCap what the call may still have when the cap is reached; null: nothing
 * @throws PLAN_LIMIT when the cap is reached, SERVICE_UNAVAILABLE when the use cannot be counted; the work has not started
 */
export type CountUse = <Result>(
  counter: CappedCounter,
  work: () => Promise<Result>,
  options?: { isUse?: (result: Result) => boolean; atCap?: () => Promise<Result | null> },
) => Promise<Result>;

export function createUseCounting(deps: {
  accountId: string;
  limits: PlanLimits;
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  requestId: string;
  /** whether the caller has disconnected, which aborts the work */
  hasCallerAborted: () => boolean;
  now: Date;
  logger: Logger;
}): CountUse {
  const { accountId, limits, counters, requestId, hasCallerAborted, now, logger } = deps;

  async function refund(counter: CappedCounter): Promise<void> {
    try {
      await counters.refund({ accountId, counter, at: now });
    } catch (error) {
      logger.warn(
        { request_id: requestId, counter, err: error },
        'a use of a capped feature could not be refunded',
      );
    }
  }

  return async (counter, work, { isUse = () => true, atCap = async () => null } = {}) => {
    const capReached = await mapDatabaseError(
      counters.spend({ accountId, counter, at: now, cap: limits[capSettings[counter]] }),
    );
    if (capReached) {
      const result = await atCap();
      if (result !== null) return result;
      throw new AppError('PLAN_LIMIT', explainCapReached(counter, capReached));
    }
    try {
      const result = await work();
      if (!isUse(result)) await refund(counter);
      return result;
    } catch (error) {
      if (!hasCallerAborted()) await refund(counter);
      throw error;
    }
  };
}

export function explainCapReached(
  counter: CappedCounter,
  { cap, renewsAt }: Pick<CapReached, 'cap' | 'renewsAt'>,
): string {
  const setting = capSettings[counter];
  const plural = counter.replaceAll('_', ' ');
  if (cap === 0) return `Your plan has no ${plural} (${setting} is 0).`;
  const spent =
    cap === 1
      ? `1 ${singulars[counter]} a month (${setting}), and it is spent`
      : `${cap} ${plural} a month (${setting}), and all are spent`;
  return `Your plan has ${spent}. The next month begins at ${renewsAt}.`;
}
