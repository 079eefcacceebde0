import type { SharedSection } from '../cache/shared-answers.ts';
import { type AnsweredQuestion, createAnsweredQuestions } from '../store-health/answered-questions.ts';
import { createBreakers } from '../store-health/breakers.ts';
import type { Clock } from '../store-health/clock.ts';
import { type Address, type Budget, budgets, type Endpoint } from '../store-health/endpoints.ts';
import { createFailedQuestions } from '../store-health/failed-questions.ts';
import type { FailureFacts } from '../store-health/failure-facts.ts';
import type { SharedBreakers } from '../store-health/shared-breakers.ts';
import type { Buckets } from './buckets.ts';
import { type CallScheduler, type CallSchedulerDeps, createCallScheduler } from './call-scheduler.ts';
import { type CallObserver, createCallWithBudget } from './call-with-budget.ts';

export type StoreAccess = ReturnType<typeof createStoreAccess>;

/** What is between a request and a store: call slots within budgets, breakers, retries. */
export function createStoreAccess(deps: {
  perMinute: Readonly<Record<Budget, number>>;
  addresses: readonly Address[];
  buckets: Buckets;
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
  observer: CallObserver & Pick<CallSchedulerDeps, 'onSlotGranted'>;
  /** Questions that the stores can answer, for probes (`listKnownQuestions`); default: none. */
  knownQuestions?: ReadonlyMap<Endpoint, AnsweredQuestion>;
  /** What the copies of the service share; default: nothing but the budgets. */
  shared?: { breakers: SharedBreakers; failures: SharedSection<FailureFacts> } | null;
}) {
  const { perMinute, addresses, buckets, clock, random, observer, knownQuestions, shared = null } = deps;
  const answeredQuestions = createAnsweredQuestions(knownQuestions);
  const breakers = createBreakers(addresses, clock.now, shared?.breakers.backingOf, (endpoint) =>
    answeredQuestions.list(endpoint).map(({ question }) => question),
  );
  const schedulers = Object.fromEntries(
    budgets.map((budget) => [
      budget,
      createCallScheduler({
        budget,
        perMinute: perMinute[budget],
        addresses,
        buckets,
        breakers,
        clock,
        onSlotGranted: observer.onSlotGranted,
      }),
    ]),
  ) as Record<Budget, CallScheduler>;
  const failedQuestions = createFailedQuestions(clock.now, shared?.failures);
  const { callWithBudget, recheck } = createCallWithBudget({
    addresses,
    schedulers,
    breakers,
    failedQuestions,
    answeredQuestions,
    clock,
    random,
    observer,
  });
  shared?.breakers.start(() => {
    for (const scheduler of Object.values(schedulers)) scheduler.recheck();
    recheck();
  });
  return {
    callWithBudget,
    breakers,
    schedulers,
    addresses,
    /** Refuses all queued calls and all later ones. Calls that have been sent continue. */
    stop() {
      shared?.breakers.stop();
      for (const scheduler of Object.values(schedulers)) scheduler.stop();
    },
  };
}
