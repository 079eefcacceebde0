import { z } from 'zod';
import { refuseSetting } from '../process/config.ts';
import { readTlsFiles, type TlsFiles } from '../process/tls-files.ts';
import { parseRedisUrl } from './redis-url.ts';

const forms =
  'must be redis://host:port/db, redis-sentinel://host:port,host:port/master?db=0 or ' +
  'redis-cluster://host:port,host:port, with user:password@ (percent-encoded) before the first host, and rediss instead of redis for TLS';

/** The settings of a process that can use Redis. */
export const redisSettings = {
  /** Absent: the process works without Redis. */
  REDIS_URL: z
    .string()
    .transform((text, context) => {
      const address = parseRedisUrl(text);
      if (address) return address;
      context.addIssue({ code: 'custom', message: forms });
      return z.NEVER;
    })
    .optional(),
  /** The start of every key, so that environments can share one server. */
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'must have 1 to 40 letters, digits, dots, hyphens and underscores')
    .default('shelfwise'),
  /** For `rediss`: the certificates of the authorities that sign those of Redis; default: those that Node.js knows. */
  REDIS_TLS_CA: z.string().optional(),
  /** The certificate and the key of this client, for a Redis that asks for one. */
  REDIS_TLS_CERT: z.string().optional(),
  REDIS_TLS_KEY: z.string().optional(),
};

export type RedisSettings = z.output<z.ZodObject<typeof redisSettings>>;

/**
 * Reads the files; undefined without TLS.
 * @throws ConfigError when they cannot be used, or REDIS_URL does not ask for TLS
 */
export function readRedisTls(settings: Omit<RedisSettings, 'REDIS_PREFIX'>): TlsFiles | undefined {
  const { REDIS_URL: address, REDIS_TLS_CA: ca, REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key } = settings;
  if (address?.hasTls) return readTlsFiles('REDIS_TLS', { ca, cert, key });
  if ((ca ?? cert ?? key) !== undefined)
    refuseSetting('REDIS_URL', 'must begin with rediss when REDIS_TLS_CA, _CERT or _KEY is set');
  return undefined;
}
