import { createRedisLimits } from '@shelfwise/gateway/limits/redis-limits';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis, type RedisConnection, RedisUnavailable } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { startRedisServer } from '../../testing/redis-servers.ts';
import { quantile } from '../lib/quantile.ts';
import { defineTimes } from './define-times.ts';
import { measureInTurns, ownCpuMicros } from './rounds.ts';

/** Short, so that some rounds are free of other load. */
const roundMs = 200;
const ours = 'one decision: version, windows, quota';
const theirs = '2 x RateLimiterRedis';

/** Starts a redis-server of its own. Most accounts stay below their limits. */
export const times = defineTimes({
  name: 'limit',
  question:
    'What does one decision in Redis cost, compared with two calls of rate-limiter-flexible and with PING?',
  options: {
    rounds: [30, 'rounds of each case, of 0.2 s'],
    concurrent: [16, 'decisions at once'],
    accounts: [20_000, 'accounts that call in turn'],
  },
  async run({ rounds, concurrent, accounts }) {
    const server = await startRedisServer();
    const logger = createLogger({ name: 'limit-times', level: 'warn', destination: process.stderr });
    const address = parseRedisUrl(`redis://127.0.0.1:${server.port}`) as RedisAddress;
    const redis = await connectRedis({ address, prefix: 'times', logger, metrics: createMetrics() });
    let timeouts = 0;
    const measured = Object.entries(createCases(redis, accounts)).map(([name, call]) => ({
      name,
      async measure() {
        const before = { redis: await readRedisCpuMicros(redis), own: ownCpuMicros() };
        const { ms, timedOut } = await callFor(redis, call, concurrent);
        timeouts += timedOut;
        const own = ownCpuMicros() - before.own;
        return {
          'per s': ms.length / (roundMs / 1000),
          'p50 ms': quantile(ms, 0.5),
          'p99 ms': quantile(ms, 0.99),
          'Redis us': ((await readRedisCpuMicros(redis)) - before.redis) / ms.length,
          'Node us': own / ms.length,
        };
      },
    }));
    const columns = {
      'per s': { isCompared: true },
      'p50 ms': { digits: 2 },
      'p99 ms': { digits: 2 },
      'Redis us': { digits: 1 },
      'Node us': { digits: 1 },
    };
    const results = await measureInTurns(measured, { rounds, columns });
    results.print(`${concurrent} concurrent, rounds of ${roundMs / 1000} s`);
    // Other load on the machine only makes rounds slower.
    const best = (name: string) => Math.max(...results.figures(name, 'per s'));
    console.log(`\none decision / ${theirs} (goal: 1.5)`);
    console.log(`  throughput of the best rounds    ${(best(ours) / best(theirs)).toFixed(2)}`);
    // In a closed loop the throughput is the number of loops divided by the time of a call.
    console.log(
      `  throughput by the median times   ${(1 / results.ratio(ours, 'p50 ms', theirs)).toFixed(2)}`,
    );
    if (timeouts > 0) console.log(`${timeouts} calls had no answer within 50 ms: the machine is overloaded.`);
    redis.close();
    await server.stop();
  },
});

function createCases(redis: RedisConnection, accounts: number): Record<string, () => Promise<unknown>> {
  const { client } = redis;
  const limits = createRedisLimits(redis);
  const list = redis.defineScript({ lua: listScript, keyCount: 3 });
  const second = new RateLimiterRedis({ storeClient: client, points: 5, duration: 1, keyPrefix: 'second' });
  const minute = new RateLimiterRedis({ storeClient: client, points: 59, duration: 60, keyPrefix: 'minute' });
  const at = new Date();
  let next = 0;
  const nextAccount = () => `account-${next++ % accounts}`;

  /** As the gateway: what Redis misses is given with a second call. */
  async function decide(quotaCost: 0 | 1): Promise<unknown> {
    const call = { accountId: nextAccount(), keyVersion: 1, quotaCost, quotaLimit: 1e9, at };
    const decision = await limits.decide(call);
    return decision.outcome === 'missing' ? limits.decide(call, { keyVersion: 1, spent: 0 }) : decision;
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

  return {
    PING: () => client.ping(),
    [ours]: () => decide(1),
    'the same without quota': () => decide(0),
    'the same with the times in a list': () => {
      const account = nextAccount();
      return list(
        ['times', 'version', 'quota'].map((name) => `list:{${account}}:${name}`),
        [1, 1e9],
      );
    },
    [theirs]: () => consumeTwice(nextAccount()),
    '2 x RateLimiterRedis + INCR quota': async () => {
      const account = nextAccount();
      if (await consumeTwice(account)) await client.incr(`quota:${account}`);
    },
  };
}

/** The times of the calls of `concurrent` loops, in ms. */
async function callFor(redis: RedisConnection, call: () => Promise<unknown>, concurrent: number) {
  const ms: number[] = [];
  let timedOut = 0;
  const endMs = performance.now() + roundMs;
  async function loop(): Promise<void> {
    for (;;) {
      const startedMs = performance.now();
      if (startedMs >= endMs) return;
      try {
        await call();
        ms.push(performance.now() - startedMs);
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error;
        // Redis had no CPU for 50 ms. The gateway would go on without it; here the loop waits.
        timedOut++;
        while (!redis.isAvailable()) await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  await Promise.all(Array.from({ length: concurrent }, loop));
  return { ms, timedOut };
}

/** CPU time of the server, including the network. */
async function readRedisCpuMicros({ client }: RedisConnection): Promise<number> {
  const lines = await client.info('cpu');
  const seconds = [...lines.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, text]) => Number(text));
  return 1e6 * seconds.reduce((sum, value) => sum + value, 0);
}

/** The gateway's decision with the times in a list instead of a string, for comparison. */
const listScript = `
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local stored = redis.call('MGET', KEYS[2], KEYS[3])
local known, spent = tonumber(stored[1]), tonumber(stored[2])
if not known then known = 1; redis.call('SET', KEYS[2], 1, 'EX', 3600) end
if not spent then spent = 0; redis.call('SET', KEYS[3], 0, 'EX', 3600) end
if tonumber(ARGV[1]) < known then return {'key-replaced'} end
local burst = redis.call('LINDEX', KEYS[1], 4)
local sustained = redis.call('LINDEX', KEYS[1], 58)
local burstFree = burst and burst + 1000000 or 0
local sustainedFree = sustained and sustained + 60000000 or 0
local free = math.max(burstFree, sustainedFree)
if now < free then return {'rate-limited', burstFree > sustainedFree and 5 or 60, free - now} end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, 58)
redis.call('PEXPIRE', KEYS[1], 60000)
if spent >= tonumber(ARGV[2]) then return {'quota-exceeded'} end
redis.call('INCR', KEYS[3])
return {'admitted'}`;
