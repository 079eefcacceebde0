import type { Balancer } from '../lib/balancer.ts';
import type { Client } from './clients.ts';
import { callOnce } from './load.ts';
import type { SpentRequests } from './spent-requests.ts';

const callers = 64;
const roundMs = 10_000;
const fewestRounds = 4;
const mostRounds = 12;

/**
 * How many calls are answered, in what time, and at most in a second of a round, when each of some callers sends its next
 * call at once. Rounds go on until they are no longer better, because processes get faster while they warm up, and new apps
 * are audited meanwhile. What the calls have begun, such as the scoring of keywords, goes on afterwards, and is not in `ms`.
 * There must be enough clients that each stays below its rate windows.
 */
export async function measureCapacity(deps: {
  balancer: Balancer;
  clients: readonly Client[];
  spent: SpentRequests;
}): Promise<{ answered: number; ms: number; bestPerSecond: number }> {
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
    return answered;
  }

  const rounds: number[] = [];
  while (rounds.length < fewestRounds || (isGrowing(rounds) && rounds.length < mostRounds))
    rounds.push(await measureRound());
  const perSecond = rounds.map((answered) => Math.round((1000 * answered) / roundMs));
  console.log(`# calls a second: ${perSecond.join(', ')}`);
  const answered = rounds.reduce((sum, one) => sum + one, 0);
  return { answered, ms: rounds.length * roundMs, bestPerSecond: Math.max(...perSecond) };
}

/** Whether one of the last two is far better than all before them. */
function isGrowing(rounds: readonly number[]): boolean {
  return Math.max(...rounds.slice(-2)) > 1.1 * Math.max(...rounds.slice(0, -2));
}
