import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '../lib/balancer.ts';

const burst = 8;
/** Three times what a key may call, and little work compared with the load. */
const pauseMs = 500;

/**
 * Bursts of calls with one key over all gateways, until `stop`. Counts the admitted calls that were sent and answered
 * within one second, and within one minute: they were certainly decided in it.
 */
export function startAttack(balancer: Balancer, key: string) {
  const admitted: { sentAt: number; answeredAt: number }[] = [];
  const pending = new Set<Promise<void>>();
  let isOver = false;

  async function callOnce(): Promise<void> {
    const { status, sentAt, ms } = await balancer.call({ key, method: 'GET', path: '/account/usage' });
    if (status === 200) admitted.push({ sentAt, answeredAt: sentAt + ms });
  }

  async function attack(): Promise<void> {
    for (; !isOver; await sleep(pauseMs))
      for (let index = 0; index < burst; index++) {
        const one = callOnce().finally(() => pending.delete(one));
        pending.add(one);
      }
  }

  const mostWithin = (ms: number) =>
    Math.max(
      0,
      ...admitted.map(
        ({ sentAt }) =>
          admitted.filter((call) => call.sentAt >= sentAt && call.answeredAt <= sentAt + ms).length,
      ),
    );
  const attacking = attack();
  return {
    async stop() {
      isOver = true;
      await attacking;
      await Promise.all(pending);
      return { inASecond: mostWithin(1000), inAMinute: mostWithin(60_000) };
    },
  };
}
