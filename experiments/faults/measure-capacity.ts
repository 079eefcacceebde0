import type { Balancer } from '../lib/balancer.ts';
import type { Client } from './clients.ts';
import type { Spent } from './load.ts';

const usualCallers = 24;
const measuredMs = 10_000;

/** Calls answered in a second when each of some callers sends its next call at once. */
export async function measureCapacity(deps: {
  balancer: Balancer;
  clients: readonly Client[];
  spent: Spent;
  callers?: number;
}): Promise<number> {
  const { balancer, clients, spent, callers = usualCallers } = deps;
  const endAt = performance.now() + measuredMs;
  let answered = 0;
  let sent = 0;
  const call = async () => {
    while (performance.now() < endAt) {
      const client = clients[sent++ % clients.length] as Client;
      const { call: next, cost, onAnswer } = client.next();
      const answer = await balancer.call({ ...next, key: client.key });
      onAnswer?.(answer);
      const sum = spent.get(client.key) ?? { certain: 0, possible: 0 };
      sum.possible += cost;
      if (answer.status === 200) {
        answered++;
        sum.certain += cost;
      }
      spent.set(client.key, sum);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return Math.round((1000 * answered) / measuredMs);
}
