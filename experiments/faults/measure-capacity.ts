import type { Balancer } from '../lib/balancer.ts';
import { quantile } from '../lib/quantile.ts';
import type { Client } from './clients.ts';
import { callOnce, type Spent } from './load.ts';

const callers = 64;
const roundMs = 10_000;
const fewestRounds = 4;
const mostRounds = 12;

/**
 * Calls answered in a second when each of some callers sends its next call at once: the median of the last rounds, which go on
 * until they are no longer better, because processes get faster while they warm up, and new apps are audited meanwhile.
 * There must be enough clients that each stays below its rate windows.
 */
export async function measureCapacity(deps: {
  balancer: Balancer;
  clients: readonly Client[];
  spent: Spent;
}): Promise<number> {
  const { balancer, clients, spent } = deps;
  let sent = 0;

  async function measureRound(): Promise<number> {
    const endAt = performance.now() + roundMs;
    let answered = 0;
    const callUntilEnd = async () => {
      while (performance.now() < endAt) {
        const record = await callOnce(clients[sent++ % clients.length] as Client, { balancer, spent });
        if (record.isGood) answered++;
      }
    };
    await Promise.all(Array.from({ length: callers }, callUntilEnd));
    return Math.round((1000 * answered) / roundMs);
  }

  const perSecond: number[] = [];
  while (perSecond.length < fewestRounds || (isGrowing(perSecond) && perSecond.length < mostRounds))
    perSecond.push(await measureRound());
  console.log(`# calls a second: ${perSecond.join(', ')}`);
  return Math.round(quantile(perSecond.slice(-3), 0.5));
}

/** Whether one of the last two is far better than all before them. */
function isGrowing(perSecond: readonly number[]): boolean {
  return Math.max(...perSecond.slice(-2)) > 1.1 * Math.max(...perSecond.slice(0, -2));
}
