import { randomUUID } from 'node:crypto';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis, type RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import fc from 'fast-check';
import { describeWithEngine } from '../../testing/engines.ts';
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts';
import { type MeasuredCall, measureCall, shortestGapOfSix } from '../../testing/measure-call.ts';
import { monotonicMs } from '../../testing/system-clock.ts';
import { createSharedAddressLimiter } from '../src/limits/address-limiter.ts';
import { createLimits } from '../src/limits/create-limits.ts';
import type { LimitDecision, LimitedCall } from '../src/limits/limit-decider.ts';
import { keyVersionKey, quotaKey, timesKey } from '../src/limits/redis-limits.ts';
import type { UsageCounters } from '../src/limits/usage-counters.ts';
import { createFakeCounters, testDecider } from './harness/decider-contract.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';

const at = new Date('2026-06-15T12:00:00.250Z');

describeWithEngine('REDIS_URL', 'limits in Redis', (url) => {
  let proxy: FaultProxy;
  let redis: RedisConnection;
  const prefix = `test-${randomUUID()}`;
  const open: RedisConnection[] = [];

  /** Through the proxy. By default an answer may take long, so that only a fault makes a decision local. */
  async function connect(answerMs = 60_000): Promise<RedisConnection> {
    const { logger } = createRecordingLogger();
    const address = {
      ...(parseRedisUrl(url) as RedisAddress),
      nodes: [{ host: '127.0.0.1', port: proxy.port }],
    };
    const connection = await connectRedis({ address, prefix, logger, metrics: createMetrics(), answerMs });
    open.push(connection);
    return connection;
  }

  beforeAll(async () => {
    const address = parseRedisUrl(url) as RedisAddress;
    proxy = await startFaultProxy(address.nodes[0] as { host: string; port: number });
    redis = await connect();
  });
  afterAll(async () => {
    const left = await redis.client.keys(`${prefix}:*`);
    for (const key of left) await redis.client.del(key.slice(prefix.length + 1));
    for (const connection of open) connection.close();
    await proxy.stop();
  });

  /** One gateway's limits. `versions` are the key versions in the database; default 1. */
  function createGatewayLimits(
    options: {
      redis?: RedisConnection;
      counters?: UsageCounters;
      versions?: Map<string, number>;
      monotonicMs?: () => number;
    } = {},
  ) {
    const local = { decisions: 0 };
    const loads: string[] = [];
    const limits = createLimits({
      redis: options.redis ?? redis,
      counters: (options.counters ?? createFakeCounters().counters) as UsageCounters,
      async findKeyVersion(id) {
        loads.push(id);
        return options.versions ? (options.versions.get(id) ?? null) : 1;
      },
      onLocalDecision: () => local.decisions++,
      logger: createRecordingLogger().logger,
      monotonicMs: options.monotonicMs ?? monotonicMs,
    });
    const decide = (accountId: string, call: Partial<LimitedCall> = {}) =>
      limits.decider.decide({ accountId, keyVersion: 1, quotaCost: 0, quotaLimit: null, at, ...call });
    return { ...limits, decide, local, loads };
  }

  const forget = (...keys: string[]) =>
    Promise.all(keys.map((key) => redis.run(key, (client) => client.del(key))));
  const quotaCopy = (id: string) => redis.run('copy', (client) => client.get(quotaKey(id, at)));

  describe('a decider', () => {
    testDecider(async (counters) => {
      const { decider, replaceKey } = createGatewayLimits({ counters: counters as UsageCounters });
      return { decider, replaceKey };
    });
  });

  describe('a decider of sessions', () => {
    testDecider(async (counters) => {
      const { sessionDecider, replaceKey } = createGatewayLimits({ counters: counters as UsageCounters });
      return { decider: sessionDecider, replaceKey };
    }, 10);
  });

  test('calls of sessions leave the windows of the key as they are, and the other way round', async () => {
    const { decide, sessionDecider } = createGatewayLimits();
    const id = randomUUID();
    const decideOfSession = () =>
      sessionDecider.decide({ accountId: id, keyVersion: 1, quotaCost: 0, quotaLimit: null, at });
    for (let call = 0; call < 10; call++) expect(await decideOfSession()).toEqual({ outcome: 'admitted' });
    for (let call = 0; call < 5; call++) expect(await decide(id)).toEqual({ outcome: 'admitted' });
    expect(await decideOfSession()).toMatchObject({ outcome: 'rate-limited', limit: 10 });
    expect(await decide(id)).toMatchObject({ outcome: 'rate-limited', limit: 5 });
  });

  test('a call is refused only when admitting it would exceed a window, and the time names when it has room', async () => {
    const { decide } = createGatewayLimits();
    const second = 1_000_000;
    // Ages of admitted calls; around the edges of the windows no closer than the call needs to reach Redis.
    const age = fc.oneof(
      fc.integer({ min: 0, max: 800_000 }),
      fc.integer({ min: 1_200_000, max: 58 * second }),
      fc.constantFrom(700_000, 1_000_001, 1_500_000, 60 * second + 1, 70 * second),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(age, { maxLength: 62 }), async (ages) => {
        const id = randomUUID();
        const nowUs = await redisNowUs(redis);
        const times = ages.map((ago) => nowUs - ago).sort((one, other) => one - other);
        await redis.run(id, (client) => client.set(timesKey(id), pack(times)));
        const decision = await decide(id);
        const afterUs = await redisNowUs(redis);
        const within = (us: number, since: number) => times.filter((time) => time > since - us).length;
        const inBurst = within(second, nowUs);
        const inSustained = within(60 * second, nowUs);
        // A call left a window during the decision: it may have been made with it or without.
        if (inBurst !== within(second, afterUs) || inSustained !== within(60 * second, afterUs)) return;
        const isFull = inBurst >= 5 || inSustained >= 59;
        expect(decision.outcome).toBe(isFull ? 'rate-limited' : 'admitted');
        if (decision.outcome !== 'rate-limited') return;
        const freeAt = Math.max(
          inBurst >= 5 ? (times.at(-5) as number) + second : 0,
          inSustained >= 59 ? (times.at(-59) as number) + 60 * second : 0,
        );
        const decidedUs = freeAt - decision.retryAfterMs * 1000;
        expect(decidedUs).toBeGreaterThanOrEqual(nowUs - 1000);
        expect(decidedUs).toBeLessThanOrEqual(afterUs);
        const isBurst = inBurst >= 5 && freeAt === (times.at(-5) as number) + second;
        expect(decision.limit).toBe(isBurst ? 5 : 60);
      }),
      { numRuns: 200 },
    );
  });

  test('two gateways with clocks 800 ms apart never admit more than 5 calls in any second', async () => {
    const other = createGatewayLimits({ redis: await connect(), monotonicMs: () => monotonicMs() + 800 });
    const one = createGatewayLimits();
    const id = randomUUID();
    const admitted: MeasuredCall<LimitDecision>[] = [];
    // Over the edges of three seconds.
    async function attack({ decide }: typeof one, time: Date): Promise<void> {
      while (admitted.length < 20) {
        const call = await measureCall(() => decide(id, { at: time }));
        if (call.result.outcome === 'admitted') admitted.push(call);
      }
    }
    const later = new Date(at.getTime() + 800);
    await Promise.all([1, 2, 3].flatMap(() => [attack(one, at), attack(other, later)]));
    // Redis decided on each between its two times.
    expect(shortestGapOfSix(admitted)).toBeGreaterThan(1000);
    expect(one.local.decisions + other.local.decisions).toBe(0);
  });

  test('an emptied Redis never makes an old key valid: the version is loaded before a call is admitted', async () => {
    const id = randomUUID();
    const { decide, loads } = createGatewayLimits({ versions: new Map([[id, 2]]) });
    expect(await decide(id, { keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
    await forget(keyVersionKey(id));
    expect(await decide(id, { keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
    expect(await decide(id, { keyVersion: 2 })).toEqual({ outcome: 'admitted' });
    expect(loads).toEqual([id, id]);
  });

  test('a key of a deleted account is refused', async () => {
    const { decide } = createGatewayLimits({ versions: new Map() });
    expect(await decide(randomUUID())).toEqual({ outcome: 'key-replaced' });
  });

  test('a version that Redis missed is learned from the first call with the new key', async () => {
    const id = randomUUID();
    const { decide } = createGatewayLimits();
    await decide(id, { keyVersion: 1 });
    expect(await decide(id, { keyVersion: 2 })).toEqual({ outcome: 'admitted' });
    expect(await decide(id, { keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
  });

  describe('what the script cannot read in Redis', () => {
    const nan = Buffer.from('000000000000f87f', 'hex');
    const infinite = Buffer.from('000000000000f07f', 'hex');
    const old = (calls: number) => pack(Array.from({ length: calls }, () => 1));
    const unreadableTimes: [string, Buffer][] = [
      ...[1, 2, 3, 4, 5, 6, 7, 9].map((size): [string, Buffer] => [`${size} bytes`, Buffer.alloc(size, 'x')]),
      ['no number', nan],
      ['a time that never comes', infinite],
      ['no number in the second', Buffer.concat([old(54), nan, old(4)])],
      ['no number in the minute', Buffer.concat([nan, old(58)])],
    ];

    test.each(unreadableTimes)('as times is replaced: %s', async (_name, times) => {
      const id = randomUUID();
      const { decide, local } = createGatewayLimits();
      await redis.run(id, (client) => client.set(timesKey(id), times));
      expect(await decide(id)).toEqual({ outcome: 'admitted' });
      const stored = await redis.run(id, (client) => client.getBuffer(timesKey(id)));
      expect(stored).toHaveLength(8);
      expect([local.decisions, redis.isAvailable()]).toEqual([0, true]);
    });

    test('as times lets no gateway admit more than it would without Redis', async () => {
      const id = randomUUID();
      const atOnce = { monotonicMs: () => 0 };
      const one = createGatewayLimits(atOnce);
      const other = createGatewayLimits({ ...atOnce, redis: await connect() });
      let admitted = 0;
      for (let round = 0; round < 12; round++)
        for (const { decide } of [one, other]) {
          await redis.run(id, (client) => client.set(timesKey(id), 'x'));
          if ((await decide(id)).outcome === 'admitted') admitted++;
        }
      expect(admitted).toBe(10);
      expect(one.local.decisions + other.local.decisions).toBe(0);
    });

    test.each(['nan', 'inf', '-1', '1.5', '0x1', 'x', ''])(
      'as key version is loaded from the database: "%s"',
      async (stored) => {
        const id = randomUUID();
        const { decide, local, loads } = createGatewayLimits({ versions: new Map([[id, 2]]) });
        await redis.run(id, (client) => client.set(keyVersionKey(id), stored));
        expect(await decide(id, { keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
        expect(await decide(id, { keyVersion: 2 })).toEqual({ outcome: 'admitted' });
        expect([loads, local.decisions]).toEqual([[id], 0]);
      },
    );

    test.each(['nan', '1.5', '007', '-1', '99999999999999999999', 'x'])(
      'as quota is loaded from the database: "%s"',
      async (stored) => {
        const id = randomUUID();
        const { counters } = createFakeCounters();
        const { decide, decider, local } = createGatewayLimits({ counters: counters as UsageCounters });
        const call = { quotaCost: 1, quotaLimit: 3 } as const;
        await decide(id, call);
        await redis.run(id, (client) => client.set(quotaKey(id, at), stored));
        expect(await decide(id, call)).toEqual({ outcome: 'admitted' });
        expect(await quotaCopy(id)).toBe('2');
        await redis.run(id, (client) => client.set(quotaKey(id, at), stored));
        await decider.refund({ accountId: id, quotaCost: 1, at });
        expect([local.decisions, redis.isAvailable()]).toEqual([0, true]);
      },
    );

    test.each(['text', 'list'])(
      'as calls of an address is replaced, and Redis is not away: a %s',
      async (type) => {
        const address = randomUUID();
        const key = `address:${address}`;
        const limiter = createSharedAddressLimiter(redis, 2);
        await redis.run<unknown>(key, (client) =>
          type === 'text' ? client.set(key, 'x') : client.lpush(key, 'x'),
        );
        expect(await limiter.count(undefined, address)).toBeNull();
        expect(await limiter.count(undefined, address)).toBeNull();
        expect(await limiter.count(undefined, address)).toBeGreaterThan(0);
        expect(redis.isAvailable()).toBe(true);
      },
    );

    test('as a key of another type is replaced', async () => {
      const id = randomUUID();
      const { decide, decider, replaceKey, local } = createGatewayLimits();
      const spoil = (key: string) =>
        redis.run(id, (client) => client.del(key).then(() => client.lpush(key, 'x')));
      const call = { quotaCost: 1, quotaLimit: 3 } as const;
      for (const key of [timesKey(id), keyVersionKey(id), quotaKey(id, at)]) await spoil(key);
      expect(await decide(id, call)).toEqual({ outcome: 'admitted' });
      for (const key of [keyVersionKey(id), quotaKey(id, at)]) await spoil(key);
      await decider.refund({ accountId: id, quotaCost: 1, at });
      await replaceKey(id, 2);
      expect(await decide(id, { ...call, keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
      expect([local.decisions, redis.isAvailable()]).toEqual([0, true]);
    });
  });

  describe('the quota', () => {
    const call = { quotaCost: 1, quotaLimit: 3 } as const;
    const countAdmitted = (decisions: LimitDecision[]) =>
      decisions.filter(({ outcome }) => outcome === 'admitted').length;

    test('its copy is rebuilt from the database when it is gone, also while gateways spend', async () => {
      const id = randomUUID();
      const { counters, read } = createFakeCounters();
      const options = { counters: counters as UsageCounters };
      const one = createGatewayLimits(options);
      const other = createGatewayLimits({ ...options, redis: await connect() });
      await one.decide(id, call);
      await forget(quotaKey(id, at));
      const decisions = await Promise.all([one, other, one, other].map(({ decide }) => decide(id, call)));
      expect(countAdmitted(decisions)).toBe(2);
      expect(read({ accountId: id, at })).toBe(3);
      // When a reply overtakes another, the copy is dropped: the next decision reads it again.
      await forget(timesKey(id));
      expect(await one.decide(id, call)).toMatchObject({ outcome: 'quota-exceeded' });
      expect(await quotaCopy(id)).toBe('3');
    });

    test('a copy above the database refuses nothing that the month has left', async () => {
      const id = randomUUID();
      const { decide } = createGatewayLimits();
      await decide(id, call);
      await redis.run(id, (client) => client.set(quotaKey(id, at), '3'));
      expect(await decide(id, call)).toEqual({ outcome: 'admitted' });
      expect(await decide(id, call)).toEqual({ outcome: 'admitted' });
      expect(await decide(id, call)).toMatchObject({ outcome: 'quota-exceeded', usage: { api_requests: 3 } });
    });

    test('a copy below the database admits nothing above the cap, and is rebuilt', async () => {
      const id = randomUUID();
      const { decide } = createGatewayLimits();
      for (let spent = 0; spent < 3; spent++) await decide(id, call);
      await redis.run(id, (client) => client.set(quotaKey(id, at), '1'));
      expect(await decide(id, call)).toMatchObject({ outcome: 'quota-exceeded', usage: { api_requests: 3 } });
      await decide(id, { ...call, quotaLimit: 10 });
      expect(await quotaCopy(id)).toBe('4');
    });

    test('a refund goes to the database and to the copy', async () => {
      const id = randomUUID();
      const { counters, read } = createFakeCounters();
      const { decide, decider } = createGatewayLimits({ counters: counters as UsageCounters });
      await decide(id, call);
      await decide(id, call);
      await decider.refund({ accountId: id, quotaCost: 1, at });
      expect(read({ accountId: id, at })).toBe(1);
      expect(await quotaCopy(id)).toBe('1');
    });
  });

  test('while Redis is frozen every answer comes in time from this gateway’s own windows, and is counted', async () => {
    const { counters, read } = createFakeCounters();
    const own = await connect(50);
    const options = { redis: own, counters: counters as UsageCounters };
    const { decide, local, status } = createGatewayLimits(options);
    const id = randomUUID();
    expect(await decide(id, { quotaCost: 1 })).toEqual({ outcome: 'admitted' });
    proxy.faults.isFrozen = true;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
    const first = Promise.all(Array.from({ length: 20 }, () => decide(id, { quotaCost: 1 })));
    await jest.advanceTimersByTimeAsync(50);
    const decisions = await first;
    // These do not wait: no time passes.
    decisions.push(...(await Promise.all(Array.from({ length: 20 }, () => decide(id)))));
    jest.useRealTimers();
    // With the one that Redis has admitted, this gateway has admitted five calls.
    expect(decisions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(4);
    expect(read({ accountId: id, at })).toBe(5);
    expect(local.decisions).toBe(40);
    expect(await status()).toMatchObject({ name: 'rate windows', state: 'DEGRADED' });
    proxy.thaw();
    while (!own.isAvailable()) await new Promise((resolve) => setImmediate(resolve));
    // The windows of this gateway go on to count what it admitted alone.
    expect(await decide(id)).toMatchObject({ outcome: 'rate-limited' });
    expect(local.decisions).toBe(40);
    expect(await status()).toMatchObject({ name: 'rate windows', state: 'OK' });
  });

  test('a key can be replaced while Redis is away', async () => {
    const id = randomUUID();
    const { decide, replaceKey } = createGatewayLimits();
    proxy.faults.isFrozen = true;
    await replaceKey(id, 2);
    expect(await decide(id, { keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
    expect(await decide(id, { keyVersion: 2 })).toEqual({ outcome: 'admitted' });
    proxy.thaw();
    while (!redis.isAvailable()) await new Promise((resolve) => setImmediate(resolve));
  });
});

/** As the script stores times: 8 bytes each. */
function pack(times: readonly number[]): Buffer {
  const packed = Buffer.alloc(8 * times.length);
  for (const [index, time] of times.entries()) packed.writeDoubleLE(time, 8 * index);
  return packed;
}

async function redisNowUs(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = await redis.run('time', (client) => client.time());
  return Number(seconds) * 1_000_000 + Number(microseconds);
}
