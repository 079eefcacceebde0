import type { Address } from './addresses.ts';
import type { Endpoint } from './ask-store.ts';

type Waiting = { endpoint: Endpoint; not: ReadonlySet<Address>; isUrgent: boolean };

/**
 * One line per endpoint, addresses that are not wanted, and urgency, each in order of arrival: those in one line are
 * held up by the same things, and by nothing that holds up another line.
 */
export function createWaitingLines<Waiter extends Waiting>() {
  const lines = new Map<string, Set<Waiter>>();
  const lengths = { urgent: 0, daily: 0 };
  return {
    /** To the end of its line. */
    add(waiter: Waiter): void {
      const name = lineName(waiter);
      const line = lines.get(name) ?? new Set();
      lines.set(name, line.add(waiter));
      lengths[urgencyName(waiter.isUrgent)]++;
    },

    /** One that has gone already is nobody's loss. */
    remove(waiter: Waiter): void {
      const name = lineName(waiter);
      const line = lines.get(name);
      if (!line?.delete(waiter)) return;
      lengths[urgencyName(waiter.isUrgent)]--;
      if (line.size === 0) lines.delete(name);
    },

    /** Each line, the first who came first. */
    all: (): Iterable<Waiter>[] => [...lines.values()],

    lengths: (): Readonly<typeof lengths> => lengths,
  };
}

/** As metrics name it. */
export function urgencyName(isUrgent: boolean): 'urgent' | 'daily' {
  return isUrgent ? 'urgent' : 'daily';
}

function lineName({ endpoint, not, isUrgent }: Waiting): string {
  const labels = [...not].map(({ label }) => label).sort();
  return [urgencyName(isUrgent), endpoint, ...labels].join(' ');
}
