import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis, type RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { describeWithEngine } from '../../testing/engines.ts';
import {
  callRedis,
  hasRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../testing/redis-servers.ts';
import { monotonicMs } from '../../testing/system-clock.ts';
import { until } from '../../testing/until.ts';
import { createLimits } from '../src/limits/create-limits.ts';
import type { UsageCounters } from '../src/limits/usage-counters.ts';
import { createFakeCounters, testDecider } from './harness/decider-contract.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';

// The servers of these tests are their own; REDIS_URL only says that engines are to be tested.
describeWithEngine('REDIS_URL', 'addresses of Redis', () => {
  if (!hasRedisServer()) return test.skip('needs redis-server and redis-cli', () => {});

  const servers: RedisServer[] = [];
  const connections: RedisConnection[] = [];
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    for (const server of servers.splice(0)) await server.stop();
  });

  async function start(options?: readonly string[]): Promise<RedisServer> {
    const server = await startRedisServer(options);
    servers.push(server);
    return server;
  }

  async function open(url: string): Promise<RedisConnection> {
    const address = parseRedisUrl(url) as RedisAddress;
    const { logger } = createRecordingLogger();
    const limits = { prefix: 'test', answerMs: 60_000 };
    const connection = await connectRedis({ address, logger, metrics: createMetrics(), ...limits });
    await untilAvailable(connection);
    return connection;
  }

  /** Until the end of the test. */
  async function connect(url: string): Promise<RedisConnection> {
    const connection = await open(url);
    connections.push(connection);
    return connection;
  }

  function createDecider(redis: RedisConnection, counters = createFakeCounters().counters) {
    const local = { decisions: 0 };
    const limits = createLimits({
      redis,
      counters: counters as UsageCounters,
      findKeyVersion: async () => 1,
      onLocalDecision: () => local.decisions++,
      logger: createRecordingLogger().logger,
      monotonicMs,
    });
    return { ...limits, local };
  }

  const call = { keyVersion: 1, quotaCost: 0, quotaLimit: null, at: new Date() } as const;

  describe('a cluster of three nodes', () => {
    let nodes: RedisServer[] = [];
    let redis: RedisConnection;

    beforeAll(async () => {
      nodes = [];
      for (let node = 0; node < 3; node++)
        nodes.push(await startRedisServer(['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000']));
      const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
      callRedis(nodes[0]?.port ?? 0, '--cluster', 'create', ...addresses, '--cluster-yes');
      for (const { port } of nodes)
        await until(() => callRedis(port, 'cluster', 'info').includes('state:ok'));
      redis = await open(`redis-cluster://${addresses.join(',')}`);
    });
    afterAll(async () => {
      redis.close();
      for (const node of nodes) await node.stop();
    });

    testDecider(async (counters) => {
      const { decider, replaceKey, local } = createDecider(redis, counters);
      // Accounts are on all nodes; a node that got its first command late would be decided locally.
      for (let warmUp = 0; warmUp < 20; warmUp++) await decider.decide({ ...call, accountId: randomUUID() });
      expect(local.decisions).toBe(0);
      return { decider, replaceKey };
    });
  });

  test('with a password and TLS off, a wrong password is an outage, and the password is never shown', async () => {
    const server = await start(['--requirepass', 'secret']);
    const redis = await connect(`redis://:secret@127.0.0.1:${server.port}/2`);
    expect(await redis.run('key', (client) => client.set('key', 'value'))).toBe('OK');
    const { logger, lines } = createRecordingLogger();
    const wrong = await connectRedis({
      address: parseRedisUrl(`redis://:wrong-secret@127.0.0.1:${server.port}`) as RedisAddress,
      prefix: 'test',
      logger,
      metrics: createMetrics(),
    });
    connections.push(wrong);
    expect(wrong.isAvailable()).toBe(false);
    expect(JSON.stringify([lines, await wrong.status()])).not.toContain('secret');
    expect(JSON.stringify(lines)).toContain('cannot be reached yet');
  });

  test('a master that sentinels watch is followed to its successor', async () => {
    const master = await start();
    const replica = await start(['--replicaof', '127.0.0.1', `${master.port}`]);
    await until(() => callRedis(replica.port, 'info', 'replication').includes('master_link_status:up'));
    const dir = mkdtempSync(join(tmpdir(), 'shelfwise-sentinel-'));
    const file = join(dir, 'sentinel.conf');
    writeFileSync(
      file,
      [
        `sentinel monitor main 127.0.0.1 ${master.port} 1`,
        'sentinel down-after-milliseconds main 500',
        'sentinel failover-timeout main 2000',
      ].join('\n'),
    );
    const sentinel = await start([file, '--sentinel']);
    await until(() => callRedis(sentinel.port, 'sentinel', 'replicas', 'main').includes(`${replica.port}`));
    const redis = await connect(`redis-sentinel://127.0.0.1:${sentinel.port}/main`);
    const { decider, local } = createDecider(redis);
    const accountId = randomUUID();
    expect(await decider.decide({ ...call, accountId })).toEqual({ outcome: 'admitted' });
    expect(callRedis(master.port, 'keys', '*')).toContain(accountId);

    await master.kill();
    expect(await decider.decide({ ...call, accountId })).toEqual({ outcome: 'admitted' });
    expect(local.decisions).toBe(1);
    await untilAvailable(redis);
    const afterwards = randomUUID();
    expect(await decider.decide({ ...call, accountId: afterwards })).toEqual({ outcome: 'admitted' });
    expect(local.decisions).toBe(1);
    expect(callRedis(replica.port, 'keys', '*')).toContain(afterwards);
    rmSync(dir, { recursive: true });
  });
});

async function untilAvailable(redis: RedisConnection): Promise<void> {
  await until(() => redis.isAvailable());
}
