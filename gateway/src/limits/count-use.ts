import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import { orUnavailable } from '../middleware/or-unavailable.ts';
import type { PlanLimits } from '../plans/plans.ts';
import type { CapReached, UsageCounters } from './usage-counters.ts';

/** What a plan caps by the month beside API requests, and which of its caps does. */
const caps = {
  keyword_inspections: 'keyword_inspections_per_month',
  niche_analyses: 'niche_analyses_per_month',
  autocomplete_queries: 'autocomplete_queries_per_month',
  metadata_simulations: 'metadata_simulations_per_month',
} as const;

export type CappedCounter = keyof typeof caps;

const singulars: Readonly<Record<CappedCounter, string>> = {
  keyword_inspections: 'keyword inspection',
  niche_analyses: 'niche analysis',
  autocomplete_queries: 'autocomplete query',
  metadata_simulations: 'metadata simulation',
};

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

/**
 * Counts a use that nobody could tell before its work was done, whatever the cap. The work stands when it cannot be
 * counted.
 */
export type NoteUse = (counter: CappedCounter) => Promise<void>;

/** Counts the uses of one call. */
export function createUseCounting(deps: {
  accountId: string;
  limits: PlanLimits;
  counters: Pick<UsageCounters, 'spend' | 'refund'>;
  requestId: string;
  /** whether its caller has gone */
  hasLeft: () => boolean;
  now: Date;
  logger: Logger;
}): { countUse: CountUse; noteUse: NoteUse } {
  const { accountId, limits, counters, requestId, hasLeft, now, logger } = deps;

  async function orWarn(change: Promise<unknown>, counter: CappedCounter, what: string): Promise<void> {
    try {
      await change;
    } catch (error) {
      logger.warn({ request_id: requestId, counter, err: error }, `a use could not be ${what}`);
    }
  }

  const noteUse: NoteUse = (counter) =>
    orWarn(counters.spend({ accountId, counter, at: now, cap: null }), counter, 'counted');

  const countUse: CountUse = async (counter, work, isUse = () => true) => {
    const use = { accountId, counter, at: now };
    const giveBack = () => orWarn(counters.refund(use), counter, 'given back');
    const spending = counters.spend({ ...use, cap: limits[caps[counter]] });
    const reached = await orUnavailable(spending);
    if (reached) throw capReached(counter, reached);
    try {
      const result = await work();
      if (!isUse(result)) await giveBack();
      return result;
    } catch (error) {
      if (!hasLeft()) await giveBack();
      throw error;
    }
  };
  return { countUse, noteUse };
}

function capReached(counter: CappedCounter, reached: CapReached): AppError {
  return new AppError('PLAN_LIMIT', sayCapReached(counter, reached));
}

/** What a client is told whose month has no room for another use. */
export function sayCapReached(
  counter: CappedCounter,
  { cap, renewsAt }: Pick<CapReached, 'cap' | 'renewsAt'>,
): string {
  const setting = caps[counter];
  const many = counter.replaceAll('_', ' ');
  if (cap === 0) return `Your plan has no ${many} (${setting} is 0).`;
  const spent =
    cap === 1
      ? `1 ${singulars[counter]} a month (${setting}), and it is spent`
      : `${cap} ${many} a month (${setting}), and all are spent`;
  return `Your plan has ${spent}. The next month begins at ${renewsAt}.`;
}
