import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { TlsFiles } from '../process/tls-files.ts';
import type { RedisAddress } from './redis-url.ts';

export type RedisClient = Redis | Cluster;

/** Longer than a pause of a busy server; a half-open connection is replaced after it. */
const silenceMs = 2000;

/** How long the end of a connection waits for a server that does not end it: the time of one answer. It keeps the process alive. */
const closeMs = 50;

/** Reconnects for ever: 50 ms after the first failure, at most half a second after a later one. */
const reconnectDelayMs = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt - 1, 10), 500);

/**
 * The options of every connection. A command is sent once or fails at once: nothing waits for a connection, and nothing
 * is sent again after a lost one, because it may have been executed. There is no `commandTimeout`: after a pause of this
 * process it would fire before the replies that have already arrived are read (`connectRedis` limits the time).
 */
const common = {
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: silenceMs,
  socketTimeout: silenceMs,
  disconnectTimeout: closeMs,
  // After a failover the connection may still lead to the former master.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 1 : false),
} satisfies RedisOptions;

/**
 * Creates a client that begins to connect.
 * @param options.keyPrefix the start of every key
 * @param options.tls for an address with TLS; default: the authorities that Node.js knows, and no certificate
 */
export function createRedisClient(
  address: RedisAddress,
  { keyPrefix, tls: files = {} }: { keyPrefix: string; tls?: Partial<TlsFiles> | undefined },
): RedisClient {
  const { kind, nodes, db, username, password } = address;
  const tls = address.hasTls ? files : undefined;
  const connection = { ...common, username, password, tls };
  if (kind === 'cluster')
    return new Cluster([...nodes], {
      keyPrefix,
      enableOfflineQueue: false,
      redisOptions: connection,
      clusterRetryStrategy: reconnectDelayMs,
      maxRedirections: 3,
      slotsRefreshTimeout: silenceMs,
    });
  const options = {
    ...connection,
    keyPrefix,
    db,
    enableOfflineQueue: false,
    retryStrategy: reconnectDelayMs,
  } satisfies RedisOptions;
  if (kind === 'single') return new Redis({ ...options, ...nodes[0] });
  return new Redis({
    ...options,
    sentinels: [...nodes],
    name: address.master,
    sentinelUsername: address.sentinelUsername,
    sentinelPassword: address.sentinelPassword,
    sentinelRetryStrategy: reconnectDelayMs,
    sentinelCommandTimeout: silenceMs,
    enableTLSForSentinelMode: address.hasTls,
    sentinelTLS: tls,
  });
}
