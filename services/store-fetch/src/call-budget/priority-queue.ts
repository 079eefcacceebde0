import type { Address } from './addresses.ts';
import type { Endpoint } from './ask-store.ts';
import { urgencyLabel } from './urgency.ts';

type Prioritized = { endpoint: Endpoint; excludedAddresses: ReadonlySet<Address>; isUrgent: boolean };

/**
 * Calls that wait for a slot, urgent ones apart from those of the daily run. There is one first-in-first-out queue per
 * endpoint, excluded addresses and urgency: the calls of one queue are held up by the same things, and by nothing that
 * holds up another queue.
 */
export function createPriorityQueue<Call extends Prioritized>() {
  const queues = new Map<string, Set<Call>>();
  const lengths = { urgent: 0, daily: 0 };
  return {
    /** To the end of its queue. */
    add(call: Call): void {
      const key = queueKey(call);
      const queue = queues.get(key) ?? new Set();
      queues.set(key, queue.add(call));
      lengths[urgencyLabel(call.isUrgent)]++;
    },

    /** Does nothing when the call has left already. */
    remove(call: Call): void {
      const key = queueKey(call);
      const queue = queues.get(key);
      if (!queue?.delete(call)) return;
      lengths[urgencyLabel(call.isUrgent)]--;
      if (queue.size === 0) queues.delete(key);
    },

    /** Each queue in order of arrival. */
    queues: (): Iterable<Call>[] => [...queues.values()],

    lengths: (): Readonly<typeof lengths> => lengths,
  };
}

function queueKey({ endpoint, excludedAddresses, isUrgent }: Prioritized): string {
  const labels = [...excludedAddresses].map(({ label }) => label).sort();
  return [urgencyLabel(isUrgent), endpoint, ...labels].join(' ');
}
