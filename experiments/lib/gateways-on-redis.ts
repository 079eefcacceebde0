import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createGateway } from '@shelfwise/gateway/gateway';
import { quotaKey, timesKey } from '@shelfwise/gateway/limits/redis-limits';
import { listApplications } from '@shelfwise/gateway/routes/list-applications';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { connectRedis, type RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts';
import { type RedisServer, startRedisServer } from '../../testing/redis-servers.ts';
import { createClientsOf, gatewayDefaults } from './gateway-defaults.ts';
import { countLocalDecisions } from './local-decisions.ts';

export type AttackedGateway = {
  url: string;
  redis: RedisConnection;
  proxy: FaultProxy;
  /** Decisions without Redis so far. */
  localDecisions(): Promise<number>;
};

export type Account = { id: string; key: string };

/** An endpoint that reads an empty list and spends one API request. */
const routes = [{ ...listApplications, cost: 1 }] as const;

/**
 * Gateways on one Redis, each over a proxy of its own, and on one embedded database in another process. The last one's
 * clocks are 800 ms ahead.
 */
export async function startGatewaysOnRedis({ count, answerMs }: { count: number; answerMs: number }) {
  const services: ChildProcess = fork(fileURLToPath(new URL('./gateway-services.ts', import.meta.url)));
  const [{ address, mongodbUri }] = (await once(services, 'message')) as [
    { address: string; mongodbUri: string },
  ];
  const logger = createLogger({ name: 'limit-faults', level: 'silent', destination: process.stderr });
  const connection = await connectMongo({ uri: mongodbUri, database: 'limit_faults', logger });
  const { clients, close } = createClientsOf(address);
  const server: RedisServer = await startRedisServer();
  const started: Awaited<ReturnType<typeof start>>[] = [];
  for (let index = 0; index < count; index++) started.push(await start(index === count - 1 ? 800 : 0));
  // Not over a proxy: it reads what Redis has counted.
  const reader = await connect(server.port, 2000);

  async function connect(port: number, timeoutMs: number): Promise<RedisConnection> {
    const address = parseRedisUrl(`redis://127.0.0.1:${port}`) as RedisAddress;
    const metrics = createMetrics();
    return connectRedis({ address, prefix: 'faults', logger, metrics, answerMs: timeoutMs });
  }

  async function start(aheadMs: number) {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: server.port });
    const redis = await connect(proxy.port, answerMs);
    const metrics = createMetrics();
    const gateway = createGateway({
      ...gatewayDefaults,
      connection,
      isDatabaseEmbedded: false,
      clients,
      redis,
      logger,
      metrics,
      routes,
      now: () => new Date(Date.now() + aheadMs),
      monotonicMs: () => performance.now() + aheadMs,
    });
    await gateway.start();
    const attacked: AttackedGateway = {
      url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      redis,
      proxy,
      async localDecisions() {
        const text = await metrics.registry.metrics();
        return countLocalDecisions(text);
      },
    };
    return { gateway, attacked };
  }

  let created = 0;
  return {
    server,
    gateways: started.map(({ attacked }) => attacked),
    async createAccounts(number: number): Promise<Account[]> {
      const accounts: Account[] = [];
      for (let index = 0; index < number; index++) {
        const email = `a${created++}@example.com`;
        const account = await started[0]?.gateway.accounts.create({ email, plan: 'unlimited' });
        if (account) accounts.push(account);
      }
      return accounts;
    },
    /** The times of the last 59 admitted calls on Redis's clock, in ms. */
    async readAdmitted({ id }: Account): Promise<number[]> {
      const packed = await reader.run(id, (client) => client.getBuffer(timesKey(id)));
      return Array.from(
        { length: (packed?.length ?? 0) / 8 },
        (_, index) => Number(packed?.readDoubleLE(8 * index)) / 1000,
      );
    },
    /** The month's API requests according to Redis; null when it has no copy. */
    async readCopy({ id }: Account): Promise<number | null> {
      const copy = await reader.run(id, (client) => client.get(quotaKey(id, new Date())));
      return copy === null ? null : Number(copy);
    },
    async readSpent({ id }: Account): Promise<number> {
      const row = await connection.collection('usage').findOne({ account_id: id });
      return Number(row?.api_requests ?? 0);
    },
    async stop(): Promise<void> {
      for (const { gateway } of started) await gateway.stop();
      for (const { attacked } of started) {
        attacked.redis.close();
        await attacked.proxy.stop();
      }
      reader.close();
      close();
      await connection.close();
      const ended = once(services, 'exit');
      services.disconnect();
      await ended;
      await server.stop();
    },
  };
}

/** A call and its answer, on the monotonic clock of this process. */
export type LimitedCall = {
  status: number;
  retryAfterMs: number;
  sentAt: number;
  answeredAt: number;
};

const agent = new Agent({ keepAlive: true });

/** Calls the one endpoint. */
export function callGateway({ url }: AttackedGateway, { key }: Account): Promise<LimitedCall> {
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v1/applications`,
      { agent, headers: { 'x-api-key': key } },
      (response) => {
        response.resume();
        response.once('end', () => {
          const retryAfterMs = 1000 * Number(response.headers['retry-after'] ?? 0);
          resolve({ status: response.statusCode ?? 0, retryAfterMs, sentAt, answeredAt: performance.now() });
        });
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}

/** Calls each account in turn at a constant rate, whatever the answers take, and returns them all. */
export async function callAtRate(
  gateways: readonly AttackedGateway[],
  accounts: readonly Account[],
  load: { perSecond: number; seconds: number },
): Promise<LimitedCall[]> {
  const calls: Promise<LimitedCall>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < load.perSecond * load.seconds; index++) {
    const dueMs = startedMs + (1000 * index) / load.perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 1) await sleep(earlyMs);
    const gateway = gateways[index % gateways.length] as AttackedGateway;
    calls.push(callGateway(gateway, accounts[index % accounts.length] as Account));
  }
  return Promise.all(calls);
}
