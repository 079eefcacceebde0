import { randomUUID } from 'node:crypto';
import { describeWithEngine } from '../../testing/engines.ts';
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts';
import { hasRedisServer, startRedisServer } from '../../testing/redis-servers.ts';
import { createLogger } from '../src/logger.ts';
import { createMetrics } from '../src/metrics.ts';
import { connectRedis, type RedisConnection, RedisUnavailable } from '../src/redis/connect-redis.ts';
import { parseRedisUrl, type RedisAddress } from '../src/redis/redis-url.ts';

describeWithEngine('REDIS_URL', 'a connection to Redis', (url) => {
  let proxy: FaultProxy;
  let redis: RedisConnection;
  let lines: string[];

  async function connect(port: number) {
    const address = parseRedisUrl(url) as RedisAddress;
    const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
    return connectRedis({
      address: { ...address, nodes: [{ host: '127.0.0.1', port }] },
      prefix: `test-${randomUUID()}`,
      logger: createLogger({ name: 'test', level: 'info', destination }),
      metrics: createMetrics(),
    });
  }

  const ping = () => redis.run('key', (client) => client.exists('key'));
  async function untilAvailable(): Promise<void> {
    while (!redis.isAvailable()) await new Promise((resolve) => setImmediate(resolve));
  }
  const count = (text: string) => lines.filter((line) => line.includes(text)).length;

  beforeEach(async () => {
    lines = [];
    const [node] = (parseRedisUrl(url) as RedisAddress).nodes;
    proxy = await startFaultProxy(node as { host: string; port: number });
    redis = await connect(proxy.port);
  });
  afterEach(async () => {
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
    proxy.faults.isFrozen = true;
    const startedMs = performance.now();
    await expect(ping()).rejects.toThrow(RedisUnavailable);
    expect(performance.now() - startedMs).toBeLessThan(100);
    const waits = await Promise.allSettled(Array.from({ length: 100 }, ping));
    expect(waits.every(({ status }) => status === 'rejected')).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(120);
    expect(await redis.status()).toMatchObject({ state: 'DEGRADED' });
    proxy.thaw();
    await untilAvailable();
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
      while (!full.isAvailable()) await new Promise((resolve) => setImmediate(resolve));
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
    const startedMs = performance.now();
    const closed = ended(other.client);
    other.close();
    await closed;
    expect(performance.now() - startedMs).toBeLessThan(500);
    proxy.faults.isFrozen = true;
    const frozen = ended(redis.client);
    redis.close();
    await frozen;
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  test('an outage of more than a second is logged once, and its end', async () => {
    proxy.faults.isFrozen = true;
    await expect(ping()).rejects.toThrow(RedisUnavailable);
    while (count('away') === 0) {
      await Promise.allSettled([ping(), ping()]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    proxy.thaw();
    await untilAvailable();
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
    await untilAvailable();
    expect(await add()).toBeLessThanOrEqual(3);
    await redis.run('counter', (client) => client.del('counter'));
  });

  test('a start without Redis waits a second at most; the connection is made once Redis is there', async () => {
    redis.close();
    proxy.faults.isRefusing = true;
    const startedMs = performance.now();
    redis = await connect(proxy.port);
    expect(performance.now() - startedMs).toBeLessThan(1500);
    await expect(ping()).rejects.toThrow(RedisUnavailable);
    expect(count('cannot be reached yet')).toBe(1);
    proxy.faults.isRefusing = false;
    await untilAvailable();
    expect(await ping()).toBe(0);
  });
});
