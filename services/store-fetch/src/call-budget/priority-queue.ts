import { createFairQueue, type FairQueue } from '@shelfwise/runtime/concurrency/fair-queue';
import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import type { Address } from './addresses.ts';
import type { Endpoint } from './endpoints.ts';
import { urgencyLabel } from './urgency.ts';

type Prioritized = { endpoint: Endpoint; excludedAddresses: ReadonlySet<Address>; isUrgent: boolean };

/**
 * Queued calls: per urgency in turn by caller, and first in first out within a caller. Calls that wait for different
 * endpoints or addresses are separate groups.
 */
export function createPriorityQueue<Call extends Prioritized>() {
  const urgent = createFairQueue<Call>(groupOf);
  const daily = createFairQueue<Call>(groupOf);
  const queueOf = ({ isUrgent }: { isUrgent: boolean }): FairQueue<Call> => (isUrgent ? urgent : daily);
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

    lengths: () => ({ urgent: urgent.length(), daily: daily.length() }),

    /** How many calls of this urgency a caller waits for. */
    lengthOf: (callerId: string, isUrgent: boolean): number => queueOf({ isUrgent }).lengthOf(callerId),
  };
}

function groupOf({ endpoint, excludedAddresses, isUrgent }: Prioritized): string {
  const labels = [...excludedAddresses].map(({ label }) => label).sort();
  return [urgencyLabel(isUrgent), endpoint, ...labels].join(' ');
}
