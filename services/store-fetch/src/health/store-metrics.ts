import type { Metrics } from '@shelfwise/runtime/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { CachedKind } from '../cache/cached-listings.ts';
import { type Endpoint, endpoints } from '../call-budget/ask-store.ts';
import type { TurnsDeps } from '../call-budget/call-scheduler.ts';
import type { StoreLog } from '../call-budget/create-ask-store.ts';
import { urgencyName } from '../call-budget/priority-queue.ts';
import type { Politeness } from '../call-budget/store-access.ts';

/**
 * What Prometheus is told of the stores. Questions that led to no call because of a budget or a rest are counted
 * apart from calls, so that the calls of a minute can be held against the budget.
 */
export function createStoreMetrics({ registry }: Metrics) {
  const registers = [registry];
  const calls = new Counter({
    name: 'shelfwise_store_calls_total',
    help: 'Calls to a store by outcome: ok or the kind of failure',
    labelNames: ['store', 'endpoint', 'outcome'],
    registers,
  });
  const callSeconds = new Histogram({
    name: 'shelfwise_store_call_duration_seconds',
    help: 'Time that a store took to answer, in seconds',
    labelNames: ['store', 'endpoint'],
    buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 8],
    registers,
  });
  const notAsked = new Counter({
    name: 'shelfwise_store_not_asked_total',
    help: 'Questions that were refused without a call: the budget is spent (busy), the endpoint rests (resting)',
    labelNames: ['store', 'endpoint', 'reason'],
    registers,
  });
  const turnWaits = new Histogram({
    name: 'shelfwise_store_turn_wait_seconds',
    help: 'Time that a call waited for its turn, in seconds',
    labelNames: ['budget', 'urgency'],
    buckets: [0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 20, 25],
    registers,
  });
  const lookUps = new Counter({
    name: 'shelfwise_store_cache_lookups_total',
    help: 'Look-ups in the cache of store answers: hit or miss',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const storeOf = (endpoint: Endpoint) => endpoints[endpoint].store;

  const log: StoreLog & Pick<TurnsDeps, 'onTurn'> = {
    onCall({ endpoint, outcome, ms }) {
      calls.inc({ store: storeOf(endpoint), endpoint, outcome });
      callSeconds.observe({ store: storeOf(endpoint), endpoint }, ms / 1000);
    },
    onNotAsked: ({ endpoint, reason }) => notAsked.inc({ store: storeOf(endpoint), endpoint, reason }),
    onTurn: ({ budget, isUrgent, waitedMs }) =>
      turnWaits.observe({ budget, urgency: urgencyName(isUrgent) }, waitedMs / 1000),
  };

  return {
    ...log,

    onLookUp: (kind: CachedKind, isHit: boolean) => lookUps.inc({ kind, outcome: isHit ? 'hit' : 'miss' }),

    /** Shows who waits and what rests, as it is when the metrics are read. */
    watch({ turns, breakers, addresses }: Politeness) {
      new Gauge({
        name: 'shelfwise_store_waiting',
        help: 'Calls that wait for their turn',
        labelNames: ['budget', 'urgency'],
        registers,
        collect() {
          for (const { budget, waiting } of Object.values(turns))
            for (const [urgency, count] of Object.entries(waiting())) this.set({ budget, urgency }, count);
        },
      });
      new Gauge({
        name: 'shelfwise_store_breaker_open',
        help: '1 while an endpoint rests on an address, until a call has succeeded again',
        labelNames: ['store', 'endpoint', 'address'],
        registers,
        collect() {
          for (const endpoint of Object.keys(endpoints) as Endpoint[])
            for (const address of addresses) {
              const labels = { store: storeOf(endpoint), endpoint, address: address.label };
              this.set(labels, breakers.of(endpoint, address).rest() ? 1 : 0);
            }
        },
      });
    },
  };
}
