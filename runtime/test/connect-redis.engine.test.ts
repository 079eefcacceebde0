import { randomUUID } from 'node:crypto';
import { describeWithEngine } from '../../testing/engines.ts';
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts';
import { hasRedisServer, startRedisServer } from '../../testing/redis-servers.ts';
import { until } from '../../testing/until.ts';
import { createLogger } from '../src/log/logger.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { connectRedis, type RedisConnection, RedisUnavailable } from '../src/redis/connect-redis.ts';
import { parseRedisUrl, type RedisAddress } from '../src/redis/redis-url.ts';

describeWithEngine('REDIS_URL', 'a connection to Redis', (url) => {
  let proxy: FaultProxy;
  let redis: RedisConnection;
  let lines: string[];

  /** By default a reply may take long, so that only a fault ends a call. */
  async function connect(port: number, answerMs = 60_000) {
    const address = parseRedisUrl(url) as RedisAddress;
    const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
    return connectRedis({
      address: { ...address, nodes: [{ host: '127.0.0.1', port }] },
      prefix: `test-${randomUUID()}`,
      logger: createLogger({ name: 'test', level: 'info', destination }),
      metrics: createMetrics(),
      answerMs,
    });
  }

  /** Replaces the connection by one with the usual limits, whose timers wait for `jest.advanceTimersByTimeAsync`. */
  async function connectWithFakeTimers(): Promise<void> {
    redis.close();
    redis = await connect(proxy.port, 50);
    await until(redis.isAvailable);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
  }

  /** Sockets deliver what has arrived. */
  const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  async function pass(ms: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(ms);
    await turns();
  }

  const ping = () => redis.run('key', (client) => client.exists('key'));
  const count = (text: string) => lines.filter((line) => line.includes(text)).length;

  beforeEach(async () => {
    lines = [];
    const [node] = (parseRedisUrl(url) as RedisAddress).nodes;
    proxy = await startFaultProxy(node as { host: string; port: number });
    redis = await connect(proxy.port);
    await until(redis.isAvailable);
  });
  afterEach(async () => {
    jest.useRealTimers();
    redis.close();
    await proxy.stop();
  });

  test('commands run with the prefix of the connection, also in scripts', async () => {
    const set = redis.defineScript({
      keyCount: 1,
      lua: "redis.call('SET', KEYS[1], ARGV[1]); return KEYS[1]",
    });
    expect(await set(['key'], ['value'])).toMatch(/^test-.*:key$/);
    expect(await redis.run('key', (client) => client.get('key'))).toBe('value');
    await redis.run('key', (client) => client.del('key'));
    expect(await redis.status()).toMatchObject({ state: 'OK' });
  });

  test('a script that Redis has forgotten is sent again', async () => {
    const one = redis.defineScript({ keyCount: 1, lua: `return '${randomUUID()}'` });
    const first = await one(['key'], []);
    await redis.run('key', (client) => client.script('FLUSH'));
    expect(await one(['key'], [])).toBe(first);
  });

  test('a frozen server is waited for once; then calls fail at once until it answers', async () => {
    await connectWithFakeTimers();
    proxy.faults.isFrozen = true;
    const first = ping().catch((error) => error);
    await pass(50);
    expect(await first).toMatchObject({ name: 'RedisUnavailable', message: 'no answer within 50 ms' });
    const waits = await Promise.allSettled(Array.from({ length: 100 }, ping));
    expect(waits.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await redis.status()).toMatchObject({ state: 'DEGRADED' });
    proxy.thaw();
    while (!redis.isAvailable()) await turns();
    expect(await ping()).toBe(0);
    expect([count('away'), count('answers')]).toEqual([0, 0]);
  });

  const onOwnServer = hasRedisServer() ? test : test.skip;
  onOwnServer('a server that refuses writes is away until it accepts them', async () => {
    const server = await startRedisServer(['--min-replicas-to-write', '1']);
    const full = await connect(server.port);
    try {
      const write = () => full.run('key', (client) => client.set('key', '', 'PX', 1));
      await expect(write()).rejects.toThrow(/NOREPLICAS/);
      expect(await full.client.exists('key')).toBe(0);
      expect(await full.status()).toMatchObject({
        state: 'DEGRADED',
        detail: expect.stringContaining('NOREPLICAS'),
      });
      await full.client.call('CONFIG', 'SET', 'min-replicas-to-write', '0');
      await until(full.isAvailable);
      expect(await write()).toBe('OK');
    } finally {
      full.close();
      await server.stop();
    }
  });

  test('a closed connection is gone at once, also when the server is frozen', async () => {
    const ended = (client: RedisConnection['client']) =>
      new Promise((resolve) => client.once('end', resolve));
    const other = await connect(proxy.port);
    const closed = ended(other.client);
    other.close();
    await closed;
    proxy.faults.isFrozen = true;
    const frozen = ended(redis.client);
    redis.close();
    await frozen;
  });

  test('an outage of more than a second is logged once, and its end', async () => {
    await connectWithFakeTimers();
    proxy.faults.isFrozen = true;
    const first = ping().catch((error) => error);
    await pass(50);
    expect(await first).toBeInstanceOf(RedisUnavailable);
    await pass(999);
    await Promise.allSettled([ping(), ping()]);
    expect(count('away')).toBe(0);
    await pass(1);
    await Promise.allSettled([ping(), ping()]);
    await pass(10_000);
    proxy.thaw();
    while (!redis.isAvailable()) await pass(10);
    expect([count('away'), count('answers')]).toEqual([1, 1]);
  });

  test('a lost connection is made again, and what was under way fails and is not sent twice', async () => {
    const add = () => redis.run('counter', (client) => client.incr('counter'));
    await add();
    proxy.faults.isFrozen = true;
    const underWay = add();
    proxy.faults.isRefusing = true;
    proxy.resetAll();
    await expect(underWay).rejects.toThrow(RedisUnavailable);
    proxy.faults.isRefusing = false;
    proxy.thaw();
    await until(redis.isAvailable);
    expect(await add()).toBeLessThanOrEqual(3);
    await redis.run('counter', (client) => client.del('counter'));
  });

  test('a start without Redis waits a second at most; the connection is made once Redis is there', async () => {
    redis.close();
    proxy.faults.isRefusing = true;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
    let isStarted = false;
    const starting = connect(proxy.port).then((started) => {
      redis = started;
      isStarted = true;
    });
    for (let ms = 0; ms < 990; ms += 10) await pass(10);
    expect(isStarted).toBe(false);
    await pass(10);
    await starting;
    await expect(ping()).rejects.toThrow(RedisUnavailable);
    expect(count('cannot be reached yet')).toBe(1);
    proxy.faults.isRefusing = false;
    while (!redis.isAvailable()) await pass(10);
    expect(await ping()).toBe(0);
  });
});
