import type { Address } from './addresses.ts';
import { type Budget, budgets } from './ask-store.ts';
import { createBreakers } from './breakers.ts';
import type { Buckets } from './buckets.ts';
import { createTurns, type Turns, type TurnsDeps } from './call-scheduler.ts';
import type { Clock } from './clock.ts';
import { createAskStore, type StoreLog } from './create-ask-store.ts';

export type Politeness = ReturnType<typeof createPoliteness>;

/** Everything that stands between a question and a store: turns within budgets, breakers, retries. */
export function createPoliteness(deps: {
  perMinute: Readonly<Record<Budget, number>>;
  addresses: readonly Address[];
  buckets: Buckets;
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
  log: StoreLog & Pick<TurnsDeps, 'onTurn'>;
}) {
  const { perMinute, addresses, buckets, clock, random, log } = deps;
  const breakers = createBreakers(addresses, clock.now);
  const turns = Object.fromEntries(
    budgets.map((budget) => [
      budget,
      createTurns({
        budget,
        perMinute: perMinute[budget],
        addresses,
        buckets,
        breakers,
        clock,
        onTurn: log.onTurn,
      }),
    ]),
  ) as Record<Budget, Turns>;
  return {
    askStore: createAskStore({ addresses, turns, breakers, clock, random, log }),
    breakers,
    turns,
    addresses,
    /** Refuses all who wait for a turn and all who come; calls that are being made go on. */
    stop() {
      for (const each of Object.values(turns)) each.stop();
    },
  };
}
