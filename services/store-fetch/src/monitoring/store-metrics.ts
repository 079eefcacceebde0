import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { CallSchedulerDeps } from '../budget/call-scheduler.ts';
import type { CallObserver } from '../budget/call-with-budget.ts';
import type { StoreAccess } from '../budget/store-access.ts';
import { urgencyLabel } from '../budget/urgency.ts';
import type { CachedKind } from '../cache/answer-cache.ts';
import type { CanaryResult } from '../empty-pages/canaries.ts';
import type { EmptyPageOutcome } from '../empty-pages/verified-search.ts';
import type { IconOutcome } from '../icons/read-icons.ts';
import type { LostFields } from '../sources/lost-fields.ts';
import { type Endpoint, endpoints } from '../store-health/endpoints.ts';
import type { DoubtSign } from '../stores/doubted-storefront-store.ts';

/**
 * The metrics of store calls. Refused calls are counted separately, so that the calls made per minute can be compared
 * with the budget.
 */
export function createStoreMetrics({ registry }: Metrics) {
  const registers = [registry];
  const calls = new Counter({
    name: 'shelfwise_store_calls_total',
    help: 'Calls made to a store, each attempt, by outcome: ok or the kind of failure',
    labelNames: ['store', 'endpoint', 'outcome'],
    registers,
  });
  const callSeconds = new Histogram({
    name: 'shelfwise_store_call_duration_seconds',
    help: 'Time a store took to answer a call, in seconds',
    labelNames: ['store', 'endpoint'],
    buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 8],
    registers,
  });
  const refusedCalls = new Counter({
    name: 'shelfwise_store_calls_refused_total',
    help: 'Calls that were not made because the budget was exhausted (budget_exhausted), the breaker was open (circuit_open) or the store lastingly failed to answer the same question (failed_before)',
    labelNames: ['store', 'endpoint', 'reason'],
    registers,
  });
  const queueWaits = new Histogram({
    name: 'shelfwise_store_queue_wait_seconds',
    help: 'Time a call waited in the queue for its slot, in seconds',
    labelNames: ['budget', 'urgency'],
    buckets: [0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 20, 25],
    registers,
  });
  const cacheLookups = new Counter({
    name: 'shelfwise_store_cache_lookups_total',
    help: 'Look-ups in the cache of store answers: hit or miss',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const sharedLookups = new Counter({
    name: 'shelfwise_store_shared_cache_lookups_total',
    help: 'Look-ups in the cache that the copies share through Redis, for answers that this process does not have: hit or miss',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const emptyPages = new Counter({
    name: 'shelfwise_store_empty_pages_total',
    help: 'Searches whose page was empty: believed, unproven (not yet believed) or suspect (the storefront shows wrong pages)',
    labelNames: ['store', 'outcome'],
    registers,
  });
  const canaries = new Counter({
    name: 'shelfwise_store_canaries_total',
    help: 'Searches made only to check the store, by result: answered, empty or unknown',
    labelNames: ['store', 'result'],
    registers,
  });
  const doubtSigns = new Counter({
    name: 'shelfwise_store_doubt_signs_total',
    help: 'Signs that a storefront shows wrong result pages: contradicted, empty-canary or shrunk',
    labelNames: ['store', 'sign'],
    registers,
  });
  const lostFields = new Counter({
    name: 'shelfwise_store_lost_fields_total',
    help: 'Pages of several rows on which no row has a readable value of a field, by field',
    labelNames: ['store', 'endpoint', 'field'],
    registers,
  });
  const iconRequests = new Counter({
    name: 'shelfwise_store_icon_requests_total',
    help: 'Requests for icons, by outcome: kept (in memory), read (from the image server), unknown (no answer has shown one) or failed (also while remembered, refused or over the budget)',
    labelNames: ['store', 'outcome'],
    registers,
  });
  // Prometheus does not see the increase to the first value of a series.
  for (const store of stores) doubtSigns.inc({ store, sign: 'empty-canary' }, 0);
  const storeOf = (endpoint: Endpoint) => endpoints[endpoint].store;

  const observer: CallObserver & Pick<CallSchedulerDeps, 'onSlotGranted'> = {
    onCall({ endpoint, outcome, ms }) {
      calls.inc({ store: storeOf(endpoint), endpoint, outcome });
      callSeconds.observe({ store: storeOf(endpoint), endpoint }, ms / 1000);
    },
    onRefused: ({ endpoint, reason }) => refusedCalls.inc({ store: storeOf(endpoint), endpoint, reason }),
    onSlotGranted: ({ budget, isUrgent, waitedMs }) =>
      queueWaits.observe({ budget, urgency: urgencyLabel(isUrgent) }, waitedMs / 1000),
  };

  return {
    ...observer,

    onCacheLookup: (kind: CachedKind, isHit: boolean) =>
      cacheLookups.inc({ kind, outcome: isHit ? 'hit' : 'miss' }),

    onSharedLookup: (kind: CachedKind, isHit: boolean) =>
      sharedLookups.inc({ kind, outcome: isHit ? 'hit' : 'miss' }),

    onEmptyPage: ({ store }: Storefront, outcome: EmptyPageOutcome) => emptyPages.inc({ store, outcome }),

    onCanary: ({ store }: Storefront, result: CanaryResult) => canaries.inc({ store, result }),

    onIcon: (store: Store, outcome: IconOutcome) => iconRequests.inc({ store, outcome }),

    onLostFields({ endpoint, fields }: LostFields) {
      for (const field of fields) lostFields.inc({ store: storeOf(endpoint), endpoint, field });
    },

    onDoubtSign: (store: Store, sign: DoubtSign) => doubtSigns.inc({ store, sign }),

    /** Registers gauges that read the queues and breakers when the metrics are scraped. */
    watch({ schedulers, breakers, addresses }: Pick<StoreAccess, 'schedulers' | 'breakers' | 'addresses'>) {
      new Gauge({
        name: 'shelfwise_store_queued_calls',
        help: 'Calls waiting in the queue for a slot',
        labelNames: ['budget', 'urgency'],
        registers,
        collect() {
          for (const { budget, queuedCalls } of Object.values(schedulers))
            for (const [urgency, count] of Object.entries(queuedCalls()))
              this.set({ budget, urgency }, count);
        },
      });
      new Gauge({
        name: 'shelfwise_store_longest_queued_seconds',
        help: 'How long the call that waits longest has been in the queue, in seconds; 0 when none waits',
        labelNames: ['budget', 'urgency'],
        registers,
        collect() {
          for (const { budget, longestWaitsMs } of Object.values(schedulers))
            for (const [urgency, ms] of Object.entries(longestWaitsMs()))
              this.set({ budget, urgency }, ms / 1000);
        },
      });
      new Gauge({
        name: 'shelfwise_store_breaker_open',
        help: '1 from when the breaker of an endpoint on an address opens until a call succeeds, otherwise 0',
        labelNames: ['store', 'endpoint', 'address'],
        registers,
        collect() {
          for (const endpoint of Object.keys(endpoints) as Endpoint[])
            for (const address of addresses) {
              const labels = { store: storeOf(endpoint), endpoint, address: address.label };
              this.set(labels, breakers.get(endpoint, address).openState() ? 1 : 0);
            }
        },
      });
    },
  };
}
