import type { Endpoint } from './ask-store.ts';

type Waiting = { endpoint: Endpoint; isUrgent: boolean };

/** One line per endpoint and urgency, in order of arrival. */
export function createWaitingLines<Waiter extends Waiting>() {
  const lines = { urgent: new Map<Endpoint, Set<Waiter>>(), daily: new Map<Endpoint, Set<Waiter>>() };
  const lengths = { urgent: 0, daily: 0 };
  return {
    /** To the end of its line. */
    add(waiter: Waiter): void {
      const urgency = urgencyName(waiter.isUrgent);
      const line = lines[urgency].get(waiter.endpoint) ?? new Set();
      lines[urgency].set(waiter.endpoint, line.add(waiter));
      lengths[urgency]++;
    },

    /** One that has gone already is nobody's loss. */
    remove(waiter: Waiter): void {
      const urgency = urgencyName(waiter.isUrgent);
      if (lines[urgency].get(waiter.endpoint)?.delete(waiter)) lengths[urgency]--;
    },

    /** Each line, the first who came first. */
    all: (): Iterable<Waiter>[] => [...lines.urgent.values(), ...lines.daily.values()],

    lengths: (): Readonly<typeof lengths> => lengths,
  };
}

/** As metrics name it. */
export function urgencyName(isUrgent: boolean): 'urgent' | 'daily' {
  return isUrgent ? 'urgent' : 'daily';
}
