import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Run } from '../process/run.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import type { TlsFiles } from '../process/tls-files.ts';
import { explainTlsError } from './explain-tls-error.ts';
import type { RedisClient } from './redis-client.ts';
import { type RedisSettings, readRedisTls } from './redis-settings.ts';
import { describeRedis, type RedisAddress } from './redis-url.ts';

/** Redis did not answer in time, or is known to be away. A command may still have been executed, or be executed later. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

/** Calls one Lua script, which Redis runs at once and alone. The keys share one hash tag, such as `{id}`. */
export type RedisScript = (keys: readonly string[], values: readonly (string | number)[]) => Promise<unknown>;

export type RedisConnection = {
  /** For libraries that are given a client. Call them within `run`. */
  client: RedisClient;
  /**
   * Runs commands on `key` and returns their result. The prefix of the connection is added to their keys.
   * @throws RedisUnavailable after 50 ms without a reply, and for every other failure. From then on it throws at once, until
   *   Redis would accept a write on the node of that key: one whose memory or disk is full still answers reads.
   */
  run<Result>(key: string, work: (client: RedisClient) => Promise<Result>): Promise<Result>;
  /** A script that is sent by its hash; when Redis does not know it, as a whole. It throws what `run` throws. */
  defineScript(script: { lua: string; keyCount: number }): RedisScript;
  isAvailable(): boolean;
  /** Degraded without an answer: a process goes on without Redis. */
  status: StatusCheck;
  close(): void;
};

/** Sub-millisecond in one network. A caller waits for it once per outage. */
const defaultAnswerMs = 50;
const probeEveryMs = 100;
/** Shorter outages are only counted: a Redis that is slow again and again would fill the log. */
const logAfterMs = 1000;
/** How long a start waits, so that the first calls usually find a connection. */
const startMs = 1000;

/**
 * Connects to the Redis of the settings; undefined without REDIS_URL. `onStop` closes the connection.
 * @throws ConfigError when the settings of TLS cannot be used
 */
export async function openRedis(
  settings: RedisSettings,
  deps: { logger: Logger; metrics: Metrics; onStop: Run['onStop'] },
): Promise<RedisConnection | undefined> {
  const { REDIS_URL: address, REDIS_PREFIX: prefix } = settings;
  const tls = readRedisTls(settings);
  if (address === undefined) return undefined;
  const redis = await connectRedis({ address, prefix, tls, ...deps });
  deps.onStop('redis', async () => redis.close());
  return redis;
}

/**
 * Connects to Redis. Resolves after a second at most, also when Redis is away: the connection is then made later, and
 * again after every loss. An outage of more than a second is logged, and its end.
 * @param options.prefix the start of every key, without its colon
 */
export async function connectRedis(options: {
  address: RedisAddress;
  prefix: string;
  /** For an address with TLS; default: the authorities that Node.js knows, and no certificate. */
  tls?: TlsFiles | undefined;
  logger: Logger;
  metrics: Metrics;
  /** How long a reply may take, in ms; longer in tests on a busy machine. */
  answerMs?: number;
}): Promise<RedisConnection> {
  const { address, prefix, tls, logger, metrics, answerMs = defaultAnswerMs } = options;
  // The library takes a while to load, and most newcomers have no Redis.
  const { createRedisClient } = await import('./redis-client.ts');
  const client = createRedisClient(address, { keyPrefix: `${prefix}:`, tls });
  const stopped = new AbortController();
  /** Why Redis is away; null while it answers. */
  let problem: string | null = 'not connected yet';
  /** Why there is no connection; null while there is one. A command then fails only because it cannot be sent. */
  let connectionProblem: string | null = null;

  let isOutageLogged = false;

  function beginOutage(reason: string, key: string): void {
    if (problem !== null || stopped.signal.aborted) return;
    problem = reason;
    outages.inc();
    const timer = setTimeout(logOutage, logAfterMs, 'Redis is away; going on without it').unref();
    void probe(key).then(() => clearTimeout(timer));
  }

  function logOutage(message: string): void {
    if (problem === null) return;
    isOutageLogged = true;
    logger.warn({ reason: problem }, message);
  }

  /** Has one command under way until Redis answers it: a frozen server is not sent more and more of them. */
  async function probe(key: string): Promise<void> {
    const { signal } = stopped;
    while (!signal.aborted) {
      try {
        // Changes nothing, because this key never exists.
        await client.set(probeKey(`${prefix}:`, key), '', 'XX');
        problem = null;
        if (isOutageLogged) logger.info('Redis answers');
        isOutageLogged = false;
        return;
      } catch (error) {
        problem = connectionProblem ?? describe(error);
        await wait(probeEveryMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  // Without a listener ioredis prints every failed attempt.
  client.on('error', (error: Error) => {
    connectionProblem = describe(error);
    if (problem !== null) problem = connectionProblem;
  });
  client.on('ready', () => {
    connectionProblem = null;
  });

  async function run<Result>(key: string, work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    if (problem !== null) throw new RedisUnavailable(problem);
    try {
      return await answerInTime(work(client), answerMs);
    } catch (error) {
      beginOutage(describe(error), key);
      throw new RedisUnavailable(describe(error), { cause: error });
    }
  }

  const outages = new Counter({
    name: 'shelfwise_redis_outages_total',
    help: 'How often this process began to go on without Redis',
    registers: [metrics.registry],
  });
  new Gauge({
    name: 'shelfwise_redis_available',
    help: '1 while Redis answers in time, 0 while this process goes on without it',
    registers: [metrics.registry],
    collect() {
      this.set(problem === null ? 1 : 0);
    },
  });

  const connected = probe('connected');
  await Promise.race([connected, wait(startMs, undefined, { signal: stopped.signal, ref: false })]);
  logOutage('Redis cannot be reached yet; starting without it');

  return {
    client,
    run,
    defineScript({ lua, keyCount }) {
      const name = `script_${createHash('sha1').update(lua).digest('hex')}`;
      client.defineCommand(name, { lua, numberOfKeys: keyCount });
      const scripts = client as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
      const call = scripts[name] as (...values: unknown[]) => Promise<unknown>;
      return (keys, values) => run(keys[0] ?? '', () => call.call(client, ...keys, ...values));
    },
    isAvailable: () => problem === null,
    status: async () => ({
      name: 'redis',
      state: problem === null ? PartState.OK : PartState.DEGRADED,
      detail: `${describeRedis(address)}: ${problem ?? 'answers'}`,
      is_embedded: false,
    }),
    close() {
      stopped.abort();
      client.disconnect();
    },
  };
}

/** On the node of `key`, which its hash tag decides, or else the whole key with its prefix. */
function probeKey(prefix: string, key: string): string {
  const [tag = `{${prefix}${key}}`] = key.match(/\{[^}]+\}/) ?? [];
  return `probe:${tag}`;
}

/** Settles as `answer` does. A reply that has arrived while this process was busy counts, however late it is read. */
function answerInTime<Result>(answer: Promise<Result>, answerMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read, `setImmediate` after them.
    const giveUp = () => reject(new Error(`no answer within ${answerMs} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), answerMs);
    answer.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Without the arguments of the command, which ioredis and Redis add to errors: they may contain the password. */
function describe(error: unknown): string {
  const { message, code, lastNodeError } = error as {
    message?: string;
    code?: string;
    lastNodeError?: Error;
  };
  if (lastNodeError) return `no node of the cluster answers as it should (${describe(lastNodeError)})`;
  const problem = message?.replace(/, with args beginning with:.*/s, '');
  return explainTlsError(error) ?? (problem || code || 'unknown problem');
}
