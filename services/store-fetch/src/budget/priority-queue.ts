import { createFairQueue, type FairQueue } from '@shelfwise/runtime/concurrency/fair-queue';
import { background, type WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import type { Address, Endpoint } from '../store-health/endpoints.ts';
import { type Urgency, urgencyLabel } from './urgency.ts';

/**
 * Per urgency. Calls further back would time out. At 6,000 calls a minute, the highest budget, one address takes almost
 * two minutes; a call waits 25 s at most.
 */
const maxQueueLength = 10_000;
/**
 * Urgent calls that one caller may have in the queue. More than a caller can want at a time: 20 calls in flight, each
 * with 20 store calls.
 */
const maxCallsOfCaller = 500;

type Prioritized = { endpoint: Endpoint; excludedAddresses: ReadonlySet<Address>; isUrgent: boolean };

/**
 * Queued calls: per urgency in turn by caller, and first in first out within a caller. Of those that are not urgent, the daily
 * run, which has no caller, goes before the jobs of accounts. Calls that wait for different endpoints or addresses are separate
 * groups.
 */
export function createPriorityQueue<Call extends Prioritized>() {
  const urgent = createFairQueue<Call>(groupOf);
  const daily = createFairQueue<Call>(groupOf, background);
  const queueOf = ({ isUrgent }: { isUrgent: boolean }): FairQueue<Call> => (isUrgent ? urgent : daily);
  const lengths = () => ({ urgent: urgent.length(), daily: daily.length() });
  return {
    /** Adds the call to the end of the line of each of its callers. */
    add: (call: Call, callers: WaitingCallers): void => queueOf(call).add(call, callers),

    /** Does nothing if the call is not queued. */
    remove(call: Call): void {
      queueOf(call).remove(call);
    },

    /** Takes the call out and ends its caller's turn. */
    serve: (call: Call): void => queueOf(call).serve(call),

    /** The calls of each group, the next one first. */
    groups: (): Iterable<Call>[] => [...urgent.groups(), ...daily.groups()],

    /** Sorts queued calls: the urgent ones first, then in turn. Zero for calls of the same turn. */
    compare: (a: Call, b: Call): number =>
      Number(b.isUrgent) - Number(a.isUrgent) || queueOf(a).turnOf(a) - queueOf(b).turnOf(b),

    lengths,

    /** Whether one more call would be too many for the queue, or for each of its callers. */
    isFull({ isUrgent, callers }: Urgency): boolean {
      if (lengths()[urgencyLabel(isUrgent())] >= maxQueueLength) return true;
      const queue = queueOf({ isUrgent: isUrgent() });
      const isOverLimit = (callerId: string) =>
        callerId !== background && queue.lengthOf(callerId) >= maxCallsOfCaller;
      return callers.ids().every(isOverLimit);
    },
  };
}

function groupOf({ endpoint, excludedAddresses, isUrgent }: Prioritized): string {
  const labels = [...excludedAddresses].map(({ label }) => label).sort();
  return [urgencyLabel(isUrgent), endpoint, ...labels].join(' ');
}
