import type { Address } from './addresses.ts';
import type { Endpoint } from './endpoints.ts';
import { urgencyLabel } from './urgency.ts';

type Prioritized = { endpoint: Endpoint; excludedAddresses: ReadonlySet<Address>; isUrgent: boolean };

/**
 * Queued calls. There is one first-in-first-out queue per urgency, endpoint and set of excluded addresses: the calls
 * of a queue wait for the same things.
 */
export function createPriorityQueue<Call extends Prioritized>() {
  const queues = new Map<string, Set<Call>>();
  const lengths = { urgent: 0, daily: 0 };
  return {
    /** Adds the call to the end of its queue. */
    add(call: Call): void {
      const key = queueKey(call);
      const queue = queues.get(key) ?? new Set();
      queues.set(key, queue.add(call));
      lengths[urgencyLabel(call.isUrgent)]++;
    },

    /** Does nothing if the call is not queued. */
    remove(call: Call): void {
      const key = queueKey(call);
      const queue = queues.get(key);
      if (!queue?.delete(call)) return;
      lengths[urgencyLabel(call.isUrgent)]--;
      if (queue.size === 0) queues.delete(key);
    },

    /** The queues, each in order of arrival. */
    queues: (): Iterable<Call>[] => [...queues.values()],

    lengths: (): Readonly<typeof lengths> => lengths,
  };
}

function queueKey({ endpoint, excludedAddresses, isUrgent }: Prioritized): string {
  const labels = [...excludedAddresses].map(({ label }) => label).sort();
  return [urgencyLabel(isUrgent), endpoint, ...labels].join(' ');
}
