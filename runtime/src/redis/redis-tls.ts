import { z } from 'zod';
import { refuseSetting } from '../config.ts';
import { readTlsFiles, type TlsFiles } from '../tls-files.ts';

/** Files for a REDIS_URL with `rediss`. */
export const redisTlsSettings = {
  /** The certificates of the authorities that sign those of Redis; default: those that Node.js knows. */
  REDIS_TLS_CA: z.string().optional(),
  /** The certificate and the key of this client, for a Redis that asks for one. */
  REDIS_TLS_CERT: z.string().optional(),
  REDIS_TLS_KEY: z.string().optional(),
};

type RedisTlsSettings = z.output<z.ZodObject<typeof redisTlsSettings>> & {
  REDIS_URL?: { hasTls: boolean } | undefined;
};

/**
 * Reads the files; undefined without TLS.
 * @throws ConfigError when they cannot be used, or REDIS_URL does not ask for TLS
 */
export function readRedisTls(settings: RedisTlsSettings): TlsFiles | undefined {
  const { REDIS_URL: address, REDIS_TLS_CA: ca, REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key } = settings;
  if (address?.hasTls) return readTlsFiles('REDIS_TLS', { ca, cert, key });
  if ((ca ?? cert ?? key) !== undefined)
    refuseSetting('REDIS_URL', 'must begin with rediss when REDIS_TLS_CA, _CERT or _KEY is set');
  return undefined;
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What an operator can do about an error of a connection with TLS; null for every other error. */
export function explainTlsError(error: unknown): string | null {
  const { code = '', message } = error as { code?: string; message?: string };
  if (unknownAuthority.has(code))
    return 'its certificate is signed by an authority that this process does not know; see REDIS_TLS_CA';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is for another host (${message})`;
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  return null;
}
