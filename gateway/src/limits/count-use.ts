import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import { orUnavailable } from '../middleware/or-unavailable.ts';
import type { PlanLimits } from '../plans/plans.ts';
import type { CapReached, UsageCounters, Use } from './usage-counters.ts';

/** What a plan caps by the month beside API requests, and which of its caps does. */
const caps = {
  keyword_inspections: 'keyword_inspections_per_month',
  niche_analyses: 'niche_analyses_per_month',
  autocomplete_queries: 'autocomplete_queries_per_month',
  metadata_simulations: 'metadata_simulations_per_month',
} as const;

type CappedCounter = keyof typeof caps;

/**
 * Does the work as one use of this kind: counted before, so that calls at the same moment cannot pass the cap, and given
 * back unless the work ends well, and when `isUse` says of its result that it was none after all. Who leaves meanwhile
 * gets nothing back, or leaving would make every call free.
 * @throws PLAN_LIMIT when the month has no room for it; the work is not begun then
 */
export type CountUse = <Result>(
  counter: CappedCounter,
  work: () => Promise<Result>,
  isUse?: (result: Result) => boolean,
) => Promise<Result>;

/** Counts the uses of one call. */
export function createCountUse(deps: {
  accountId: string;
  limits: PlanLimits;
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  call: CallOptions;
  now: Date;
  logger: Logger;
}): CountUse {
  const { accountId, limits, counters, call, now, logger } = deps;

  async function giveBack(use: Use): Promise<void> {
    try {
      await counters.refund(use);
    } catch (error) {
      const context = { request_id: call.requestId, counter: use.counter };
      logger.warn({ ...context, err: error }, 'a use could not be given back');
    }
  }

  return async (counter, work, isUse = () => true) => {
    const use = { accountId, counter, at: now };
    const spending = counters.spend({ ...use, cap: limits[caps[counter]] });
    const reached = await orUnavailable(spending);
    if (reached) throw capReached(counter, reached);
    try {
      const result = await work();
      if (!isUse(result)) await giveBack(use);
      return result;
    } catch (error) {
      if (!call.signal?.aborted) await giveBack(use);
      throw error;
    }
  };
}

function capReached(counter: CappedCounter, { cap, renewsAt }: CapReached): AppError {
  const what = counter.replaceAll('_', ' ');
  return new AppError(
    'PLAN_LIMIT',
    `Your plan has ${cap} ${what} a month (${caps[counter]}), and all are spent. The next month begins at ${renewsAt}.`,
  );
}
