/**
 * What one decision in Redis costs: the gateway's script for the key version, both windows and the quota, compared with
 * two calls of rate-limiter-flexible in the same run, and with PING. Starts a redis-server of its own.
 *
 * The cases take turns, so that other load on the machine hits all of them. Most accounts stay below their limits.
 */

import { parseArgs } from 'node:util';
import { createRedisLimits } from '@shelfwise/gateway/limits/redis-limits';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectRedis, RedisUnavailable } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { startRedisServer } from '../testing/redis-servers.ts';
import { decideWithList } from './lib/list-windows.ts';
import { quantile } from './lib/quantile.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    concurrent: { type: 'string', default: '16' },
    accounts: { type: 'string', default: '20000' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log('Usage: npm run limit-times -- [--rounds 30] [--concurrent 16] [--accounts 20000]');
  process.exit(0);
}
const rounds = Number(values.rounds);
const concurrent = Number(values.concurrent);
const accounts = Number(values.accounts);
/** Short, so that some rounds are free of other load. */
const roundMs = 200;

const server = await startRedisServer();
const logger = createLogger({ name: 'limit-times', level: 'warn', destination: process.stderr });
const address = parseRedisUrl(`redis://127.0.0.1:${server.port}`) as RedisAddress;
const redis = await connectRedis({ address, prefix: 'times', logger, metrics: createMetrics() });
const { client } = redis;

const limits = createRedisLimits(redis);
const list = decideWithList(redis);
const second = new RateLimiterRedis({ storeClient: client, points: 5, duration: 1, keyPrefix: 'second' });
const minute = new RateLimiterRedis({ storeClient: client, points: 59, duration: 60, keyPrefix: 'minute' });
const at = new Date();
const loaded = { keyVersion: 1, spent: 0 };
let next = 0;
let timeouts = 0;
const nextAccount = () => `account-${next++ % accounts}`;

/** As the gateway: what Redis misses is given with a second call. */
async function decide(quotaCost: 0 | 1): Promise<unknown> {
  const call = { accountId: nextAccount(), keyVersion: 1, quotaCost, quotaLimit: 1e9, at };
  const decision = await limits.decide(call);
  return decision.outcome === 'missing' ? limits.decide(call, loaded) : decision;
}

/** Both windows, one after the other, as a refusal of the first must not count in the second. */
async function consumeTwice(account: string): Promise<boolean> {
  try {
    await second.consume(account);
    await minute.consume(account);
    return true;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return false;
  }
}

const cases: Record<string, () => Promise<unknown>> = {
  PING: () => client.ping(),
  'one decision: version, windows, quota': () => decide(1),
  'the same without quota': () => decide(0),
  'the same with the times in a list': () => list(nextAccount()),
  '2 x RateLimiterRedis': () => consumeTwice(nextAccount()),
  '2 x RateLimiterRedis + INCR quota': async () => {
    const account = nextAccount();
    if (await consumeTwice(account)) await client.incr(`quota:${account}`);
  },
};

const results = new Map(
  Object.keys(cases).map((name) => [
    name,
    { perSecond: [] as number[], ms: [] as number[], redisMicros: [] as number[], ownMicros: [] as number[] },
  ]),
);
for (let round = 0; round <= rounds; round++)
  for (const [name, run] of Object.entries(cases)) {
    const before = { redis: await readRedisCpuMicros(), own: process.cpuUsage() };
    const { count, ms } = await runFor(run, roundMs);
    const own = process.cpuUsage(before.own);
    const redisMicros = (await readRedisCpuMicros()) - before.redis;
    // The first round warms up.
    if (round === 0) continue;
    results.get(name)?.perSecond.push(count / (roundMs / 1000));
    results.get(name)?.ms.push(...ms);
    results.get(name)?.redisMicros.push(redisMicros / count);
    results.get(name)?.ownMicros.push((own.user + own.system) / count);
  }

/** Of the best round: other load on the machine only makes rounds slower. */
const throughputOf = (name: string) => Math.max(...(results.get(name)?.perSecond ?? []));
console.log(
  `${concurrent} concurrent, ${rounds} rounds of ${roundMs / 1000} s each: the best round, CPU medians\n`,
);
const columns = ['per s', 'x PING', 'p50 ms', 'p99 ms', 'Redis us', 'Node us'];
console.log(`${'case'.padEnd(40)}${columns.map((column) => column.padStart(10)).join('')}`);
for (const [name, { ms, redisMicros, ownMicros }] of results) {
  const cells = [
    throughputOf(name).toFixed(0),
    (throughputOf(name) / throughputOf('PING')).toFixed(2),
    quantile(ms, 0.5).toFixed(2),
    quantile(ms, 0.99).toFixed(2),
    quantile(redisMicros, 0.5).toFixed(1),
    quantile(ownMicros, 0.5).toFixed(1),
  ];
  console.log(`${name.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`);
}
const [ours, theirs] = ['one decision: version, windows, quota', '2 x RateLimiterRedis'] as const;
const latencyOf = (name: string) => quantile(results.get(name)?.ms ?? [], 0.5);
console.log(`\none decision / 2 x RateLimiterRedis (goal: 1.5)`);
console.log(`  throughput of the best rounds    ${(throughputOf(ours) / throughputOf(theirs)).toFixed(2)}`);
// In a closed loop the throughput is the number of loops divided by the time of a call.
console.log(`  throughput by the median times   ${(latencyOf(theirs) / latencyOf(ours)).toFixed(2)}`);
if (timeouts > 0) console.log(`${timeouts} calls had no answer within 50 ms: the machine is overloaded.`);

redis.close();
await server.stop();

/** Runs `concurrent` loops; the times are those of the calls, in ms. */
async function runFor(run: () => Promise<unknown>, durationMs: number) {
  const ms: number[] = [];
  const endMs = performance.now() + durationMs;
  async function loop(): Promise<void> {
    for (;;) {
      const startedMs = performance.now();
      if (startedMs >= endMs) return;
      try {
        await run();
        ms.push(performance.now() - startedMs);
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error;
        // Redis had no CPU for 50 ms. The gateway would go on without it; here the loop waits.
        timeouts++;
        while (!redis.isAvailable()) await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  await Promise.all(Array.from({ length: concurrent }, loop));
  return { count: ms.length, ms };
}

/** CPU time of the server, including the network. */
async function readRedisCpuMicros(): Promise<number> {
  const lines = await client.info('cpu');
  const seconds = [...lines.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, text]) => Number(text));
  return 1e6 * seconds.reduce((sum, value) => sum + value, 0);
}
