import { randomUUID } from 'node:crypto';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis, type RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { describeWithEngine } from '../../testing/engines.ts';
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts';
import { measureCall, shortestGapOfSix } from '../../testing/measure-call.ts';
import { type BootedGateway, bootGateway } from './harness/boot-gateway.ts';
import { plansWith } from './harness/plans-with.ts';
import { probe } from './harness/probe-route.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';

describeWithEngine('REDIS_URL', 'two gateways on one Redis and one database', (url) => {
  const prefix = `test-${randomUUID()}`;
  const plans = plansWith({ three: { api_requests_per_month: 3 } });
  const proxies: FaultProxy[] = [];
  const connections: RedisConnection[] = [];
  let gateways: BootedGateway[] = [];
  let metrics: ReturnType<typeof createMetrics>;

  /** Through a proxy, so that a test can freeze the Redis of one gateway. */
  async function connect(): Promise<RedisConnection> {
    const address = parseRedisUrl(url) as RedisAddress;
    const proxy = await startFaultProxy(address.nodes[0] as { host: string; port: number });
    proxies.push(proxy);
    const connection = await connectRedis({
      address: { ...address, nodes: [{ host: '127.0.0.1', port: proxy.port }] },
      prefix,
      logger: createRecordingLogger().logger,
      metrics: createMetrics(),
      // A test waits for it once.
      answerMs: 5000,
    });
    connections.push(connection);
    return connection;
  }

  beforeAll(async () => {
    metrics = createMetrics();
    const shared = { plans, routes: [probe], isDatabaseEmbedded: false };
    const one = await bootGateway({ ...shared, redis: await connect(), metrics });
    const other = await bootGateway({ ...shared, redis: await connect(), connection: one.connection });
    gateways = [one, other];
    for (const { services } of gateways)
      services.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.thaw();
    const { client } = connections[0] as RedisConnection;
    for (const key of await client.keys(`${prefix}:*`)) await client.del(key.slice(prefix.length + 1));
    for (const gateway of [...gateways].reverse()) await gateway.stop();
    for (const connection of connections) connection.close();
    for (const proxy of proxies) await proxy.stop();
  });

  const gateway = (index: number) => gateways[index] as BootedGateway;
  async function call(index: number, key: string) {
    const response = await fetch(`${gateway(index).url}/api/v1/probe/1`, { headers: { 'x-api-key': key } });
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, headers: response.headers, code };
  }
  const callAtOnce = (indexes: readonly number[], key: string) =>
    Promise.all(indexes.map((index) => measureCall(() => call(index, key))));
  /** Each was decided on between its two times. */
  function expectFivePerSecond(calls: Awaited<ReturnType<typeof callAtOnce>>): void {
    const admitted = calls.filter(({ result }) => result.status === 200);
    expect(admitted.length).toBeGreaterThanOrEqual(5);
    expect(shortestGapOfSix(admitted)).toBeGreaterThan(1000);
  }
  const createAccount = (plan = 'unlimited') =>
    gateway(0).gateway.accounts.create({ email: `${randomUUID()}@example.com`, plan });
  async function rateWindowsOf(index: number) {
    const { services } = await gateway(index).gateway.readReadiness();
    return services.gateway?.find(({ name }) => name === 'rate windows');
  }

  /** The calls with invalid keys of this machine that Redis has counted. */
  async function countOfAddress(): Promise<number> {
    const { client } = connections[0] as RedisConnection;
    return Number(await client.get('address:127.0.0.1'));
  }

  /** A reading is shown for a second. */
  async function untilRateWindowsOf(index: number, state: string): Promise<void> {
    while ((await rateWindowsOf(index))?.state !== state)
      await new Promise((resolve) => setImmediate(resolve));
  }

  test('both together admit at most 5 calls in any second, and say when there is room', async () => {
    const { key } = await createAccount();
    const calls = await callAtOnce(
      Array.from({ length: 40 }, (_, index) => index % 2),
      key,
    );
    expectFivePerSecond(calls);
    for (const { result } of calls.filter(({ result }) => result.status !== 200)) {
      const { status, headers } = result;
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('x-ratelimit-limit')).toBe('5');
    }
    expect(await rateWindowsOf(0)).toMatchObject({ state: 'ok', is_embedded: false });
  });

  test('a key that one of them replaces is refused at once by the other, which had looked it up', async () => {
    const { key, id } = await createAccount();
    expect((await call(1, key)).status).toBe(200);
    const replaced = await gateway(0).gateway.accounts.regenerateKey({ id });
    expect((await call(1, key)).status).toBe(401);
    expect((await call(1, replaced.key)).status).toBe(200);
  });

  test('calls with invalid keys of one address are counted together', async () => {
    // The call with the replaced key of above, when the gateway had forgotten that key.
    const before = await countOfAddress();
    const statuses = [];
    for (let index = 0; index < 31; index++) statuses.push((await call(index % 2, 'sw_live_unknown')).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30 - before);
    expect(statuses.at(-1)).toBe(429);
    const counted = await countOfAddress();
    expect(counted).toBeGreaterThanOrEqual(30);
    for (let index = 0; index < 50; index++) expect((await call(0, 'sw_live_unknown')).status).toBe(429);
    // A flood stays in the gateway.
    expect(await countOfAddress()).toBeLessThanOrEqual(counted + 1);
  });

  test('a gateway whose Redis is frozen goes on alone, and says so', async () => {
    const { key } = await createAccount();
    const proxy = proxies[0] as FaultProxy;
    proxy.faults.isFrozen = true;
    expectFivePerSecond(await callAtOnce(Array(8).fill(0), key));
    // The other one has not seen these calls: at most gateways x limit.
    expectFivePerSecond(await callAtOnce(Array(8).fill(1), key));
    await untilRateWindowsOf(0, 'degraded');
    expect((await fetch(`${gateway(0).url}/readyz`)).status).toBe(200);
    expect(await metrics.registry.metrics()).toMatch(/shelfwise_gateway_local_decisions_total [1-9]/);
    proxy.thaw();
    await untilRateWindowsOf(0, 'ok');
  });
});
