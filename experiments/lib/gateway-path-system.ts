import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, type ServiceError } from '@grpc/grpc-js';
import { startEmbedded } from '@shelfwise/embedded/start-embedded';
import { createApiKey } from '@shelfwise/gateway/accounts/api-key';
import { createGateway } from '@shelfwise/gateway/gateway';
import { routes } from '@shelfwise/gateway/routes/index';
import type { Route } from '@shelfwise/gateway/routes/route/define-route';
import { type ListApplicationsReply, TrackingServiceClient } from '@shelfwise/proto/tracking/v1/tracking';
import type { ServiceAddress } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import { readConfig } from '@shelfwise/runtime/process/config';
import { openRedis } from '@shelfwise/runtime/redis/connect-redis';
import type { RedisSettings } from '@shelfwise/runtime/redis/redis-settings';
import { parseRedisUrl } from '@shelfwise/runtime/redis/redis-url';
import { startTracing } from '@shelfwise/runtime/tracing/start-tracing';
import { tracingSettings } from '@shelfwise/runtime/tracing/tracing-settings';
import fastify from 'fastify';
import { z } from 'zod';
import { createEmptyTracking } from './empty-tracking.ts';
import { createClientsOf, gatewayDefaults } from './gateway-defaults.ts';
import { type PartShare, sharesOfParts, type TopFunction, topFunctions } from './profile-parts.ts';

/** One system of the measurement, in a process of its own. It ends with its parent. */
export type SystemOrder = {
  kind: 'baseline' | 'all-in-one' | 'apart';
  hasQuota: boolean;
  /** of the tracking service and the database that run in another process */
  trackingAddress: string;
  mongodbUri: string;
  database: string;
  keyCount: number;
};

export type SystemReady = { port: number; keys: string[] };
export type SystemCommand = 'start-profile' | 'stop-profile' | 'read-cpu';
export type SystemReply =
  | { cpuMicros: number }
  | { parts: PartShare[]; functions: TopFunction[] }
  | { isStarted: true };

const logger = createLogger({ name: 'gateway-path', level: 'warn', destination: process.stderr });
const session = new Session();
const folder = mkdtempSync(join(tmpdir(), 'shelfwise-path-'));

process.once('message', (order: SystemOrder) => {
  start(order).then(
    (ready) => {
      process.send?.(ready);
      process.on('message', (command: SystemCommand) => void answer(command));
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

async function answer(command: SystemCommand): Promise<void> {
  process.send?.(await run(command));
}

async function run(command: SystemCommand): Promise<SystemReply> {
  if (command === 'read-cpu') {
    const { user, system } = process.cpuUsage();
    return { cpuMicros: user + system };
  }
  if (command === 'start-profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    await session.post('Profiler.start');
    return { isStarted: true };
  }
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return { parts: sharesOfParts(profile), functions: topFunctions(profile, 12) };
}

async function start(order: SystemOrder): Promise<SystemReady> {
  const settings = readConfig(z.object(tracingSettings), process.env);
  await startTracing(settings, { name: 'gateway-path', logger, onStop() {} });
  const created = Array.from({ length: order.keyCount }, createApiKey);
  const keys = created.map(({ text }) => text);
  if (order.kind === 'baseline') {
    const accountIds = new Map(created.map(({ hash }) => [hash, hash.slice(0, 32)]));
    return { port: await startFastifyBaseline({ trackingAddress: order.trackingAddress, accountIds }), keys };
  }
  const isAllInOne = order.kind === 'all-in-one';
  const uri = isAllInOne ? (await startOwnDatabase()).mongodbUri : order.mongodbUri;
  const connection = await connectMongo({ uri, database: order.database, logger });
  const tracking = isAllInOne ? await startOwnTracking() : order.trackingAddress;
  const { clients } = createClientsOf(tracking);
  const metrics = createMetrics();
  const gateway = createGateway({
    ...gatewayDefaults,
    connection,
    isDatabaseEmbedded: isAllInOne,
    clients,
    redis: isAllInOne
      ? undefined
      : await openRedis(readRedisSettings(order), { logger, metrics, onStop() {} }),
    logger,
    metrics,
    routes: routes.map((route) => (route.operationId === 'listApplications' ? withCost(route) : route)),
  });
  await gateway.start();
  await prepareDatabase(connection);
  await connection.collection('accounts').insertMany(
    created.map(({ hash, prefix }, index) => ({
      _id: `account-${index}` as never,
      email: `a${index}@example.com`,
      plan: 'unlimited',
      key_hash: hash,
      key_prefix: prefix,
      key_version: 1,
      created_at: new Date(),
    })),
  );
  return { port: (gateway.address() as AddressInfo).port, keys };

  /** The route spends no quota; with `cost: 1` it measures the quota on the same path. */
  function withCost(route: Route): Route {
    return { ...route, cost: order.hasQuota ? 1 : 0 };
  }
}

/** The systems that are measured have accounts with the same ids, so each has keys of its own. */
function readRedisSettings({ database }: SystemOrder): RedisSettings {
  const { REDIS_URL: text } = process.env;
  return { REDIS_URL: (text && parseRedisUrl(text)) || undefined, REDIS_PREFIX: database };
}

/** As in the all-in-one start: in a worker thread. */
function startOwnDatabase() {
  return startEmbedded({
    dataDir: folder,
    worker: new URL(import.meta.resolve('@shelfwise/embedded/worker')),
    onFailure: (error) => {
      throw error;
    },
  });
}

async function startOwnTracking(): Promise<ServiceAddress> {
  const tracking = createEmptyTracking();
  await tracking.listen(null);
  return tracking.inProcess;
}

/**
 * The least that the path needs, with the usual parts: Fastify, the hash of the key in a map of accounts, and one call
 * with the generated grpc-js client and a deadline. No windows, no quota, no log.
 */
async function startFastifyBaseline(options: {
  trackingAddress: string;
  /** account ids by the SHA-256 of their key, in hex */
  accountIds: ReadonlyMap<string, string>;
}): Promise<number> {
  const tracking = new TrackingServiceClient(options.trackingAddress, credentials.createInsecure());
  const listApplications = (accountId: string) =>
    new Promise<ListApplicationsReply>((resolve, reject) => {
      const request = { account_id: accountId, app_id: null };
      const done = (error: ServiceError | null, reply: ListApplicationsReply) =>
        error ? reject(error) : resolve(reply);
      tracking.listApplications(request, { deadline: Date.now() + 5000 } as never, done);
    });

  const app = fastify();
  app.get('/api/v1/applications', async (request, reply) => {
    const key = String(request.headers['x-api-key']);
    const accountId = options.accountIds.get(createHash('sha256').update(key).digest('hex'));
    if (accountId === undefined) return reply.code(401).send({ error: 'The API key is not valid.' });
    const { applications, total } = await listApplications(accountId);
    return { data: applications, meta: { total } };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}
