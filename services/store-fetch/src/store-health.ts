import type { Metrics } from '@shelfwise/runtime/metrics';
import { PartState, type PartStatus, type StatusCheck } from '@shelfwise/runtime/status';
import { Counter, Histogram } from 'prom-client';

/** One call to a store: `outcome` is ok or the kind of failure. */
export type StoreCall = { endpoint: string; outcome: string; ms: number };

export type StoreHealth = { onCall(call: StoreCall): void; status: StatusCheck };

/**
 * Remembers how the last call to each endpoint went, for the health page, and counts all of them. A store that is
 * blocked makes the service degraded, not down: what is stored already can still be read.
 */
export function createStoreHealth(metrics: Metrics, now: () => Date): StoreHealth {
  const calls = new Counter({
    name: 'shelfwise_store_calls_total',
    help: 'Calls to a store by endpoint and outcome',
    labelNames: ['endpoint', 'outcome'],
    registers: [metrics.registry],
  });
  const callMs = new Histogram({
    name: 'shelfwise_store_call_duration_ms',
    help: 'Time that a store took to answer, in milliseconds',
    labelNames: ['endpoint'],
    buckets: [20, 50, 100, 200, 500, 1000, 2000, 5000, 8000],
    registers: [metrics.registry],
  });
  const last = new Map<string, { outcome: string; at: Date }>();

  return {
    onCall({ endpoint, outcome, ms }) {
      calls.inc({ endpoint, outcome });
      callMs.observe({ endpoint }, ms);
      // A caller that gave up says nothing about the store.
      if (outcome !== 'abandoned') last.set(endpoint, { outcome, at: now() });
    },
    async status(): Promise<PartStatus> {
      const isFailing = [...last.values()].some(({ outcome }) => outcome !== 'ok');
      return {
        name: 'store source',
        state: isFailing ? PartState.DEGRADED : PartState.OK,
        detail: `live: the App Store (${describe(last)}); Google Play is not read by this version`,
        is_embedded: false,
      };
    },
  };
}

function describe(last: ReadonlyMap<string, { outcome: string; at: Date }>): string {
  if (last.size === 0) return 'not asked since the start';
  return [...last]
    .map(([endpoint, { outcome, at }]) => `last ${endpoint} ${outcome} at ${at.toISOString()}`)
    .join(', ');
}
