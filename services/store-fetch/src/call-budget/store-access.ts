import type { Address } from './addresses.ts';
import { createBreakers } from './breakers.ts';
import type { Buckets } from './buckets.ts';
import { type CallScheduler, type CallSchedulerDeps, createCallScheduler } from './call-scheduler.ts';
import { type CallObserver, createCallWithBudget } from './call-with-budget.ts';
import type { Clock } from './clock.ts';
import { type Budget, budgets } from './endpoints.ts';

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
}) {
  const { perMinute, addresses, buckets, clock, random, observer } = deps;
  const breakers = createBreakers(addresses, clock.now);
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
  return {
    callWithBudget: createCallWithBudget({ addresses, schedulers, breakers, clock, random, observer }),
    breakers,
    schedulers,
    addresses,
    /** Refuses all queued calls and all later ones. Calls that have been sent continue. */
    stop() {
      for (const scheduler of Object.values(schedulers)) scheduler.stop();
    },
  };
}
