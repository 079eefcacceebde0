import { setTimeout as sleep } from 'node:timers/promises';
import { timesKey } from '@shelfwise/gateway/limits/redis-limits';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { outcomeOf } from '../lib/judge-on-machine.ts';
import type { Engines } from './engines.ts';
import type { Course, PhaseDeps } from './fault.ts';

const accounts = 50;
const callsOfAccount = 2;
const frozenMs = 5000;

/**
 * Freezes Redis while it has decisions to make. Each of them is made without it, and Redis counts the calls that it
 * had received, in addition, when it is back.
 */
export async function freezeDecisions(
  redis: Engines['redis'],
  { balancer, takeAccount }: PhaseDeps,
): Promise<Course> {
  const used = Array.from({ length: accounts }, takeAccount);
  // Their keys are known to the gateways and to Redis.
  const call = (key: string) =>
    balancer.call({ key, method: 'GET', path: '/top-charts/categories?store=ITUNES' });
  await Promise.all(used.map(({ key }) => call(key)));
  await sleep(1000);
  redis.freeze();
  const answers = await Promise.all(
    used.flatMap(({ key }) => Array.from({ length: callsOfAccount }, () => call(key))),
  );
  await sleep(frozenMs);
  redis.thaw();
  await sleep(2000);
  const counted = await countDecisions(
    redis.port,
    used.map(({ id }) => id),
  );
  const admitted = answers.filter(({ status }) => status === 200).length;
  const sent = accounts * callsOfAccount;
  const drift = counted - accounts;
  const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  return {
    findings: [
      {
        text: `${admitted} of ${sent} calls admitted, the slowest after ${slowest} ms`,
        outcome: outcomeOf(admitted === sent),
      },
      {
        text: `Redis counted ${drift} of them as well, at most ${sent}`,
        outcome: outcomeOf(drift >= 0 && drift <= sent),
      },
    ],
  };
}

/** The admitted calls that Redis remembers. */
async function countDecisions(port: number, ids: readonly string[]): Promise<number> {
  const logger = createLogger({ name: 'faults', level: 'silent', destination: process.stderr });
  const address = parseRedisUrl(`redis://127.0.0.1:${port}`) as RedisAddress;
  const redis = await connectRedis({
    address,
    prefix: 'shelfwise',
    logger,
    metrics: createMetrics(),
    answerMs: 2000,
  });
  let count = 0;
  for (const id of ids) {
    const packed = await redis.run(id, (client) => client.getBuffer(timesKey(id)));
    count += (packed?.length ?? 0) / 8;
  }
  redis.close();
  return count;
}
