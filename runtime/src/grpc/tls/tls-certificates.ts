import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import type { Logger } from '../../log/logger.ts';
import { StartError } from '../../process/start-error.ts';
import { createExpiryWarnings, type Expiry, firstExpiryMs } from './certificate-expiry.ts';

const checkEveryMs = 5000;

/** The certificate and key of this process, and the authority that signs those of its peers: always the newest ones. */
export type TlsCertificates = experimental.CertificateProvider & {
  /** When the certificates in use expire. */
  expiries(): readonly Expiry[];
  close(): void;
};

type Files = { ca: Buffer; certificate: Buffer; privateKey: Buffer; expiries: readonly Expiry[] };

/**
 * Reads `ca.crt`, `tls.crt` and `tls.key` (PEM) of a folder, and again every five seconds: new connections use what has changed.
 * Changed files that do not fit together are logged, and the previous ones stay in use. Certificates that expire within seven
 * days are logged when they are read, and once a day.
 * @throws StartError when the files cannot be used at the start
 */
export async function watchCertificates(options: {
  folder: string;
  logger: Logger;
  /** Default: 5000. */
  checkEveryMs?: number;
  /** epoch ms */
  now?: () => number;
}): Promise<TlsCertificates> {
  const { folder, logger, now = Date.now } = options;
  let files = await readFiles(folder).catch((error: Error) => {
    throw new StartError(`GRPC_TLS_DIR: ${error.message}.`, { cause: error });
  });
  let problem: string | undefined;
  const caListeners = new Set<experimental.CaCertificateUpdateListener>();
  const identityListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  const warnOfExpiry = createExpiryWarnings(logger);
  warnOfExpiry(files.expiries, now());
  const caUpdate = () => ({ caCertificate: files.ca });

  const timer = setInterval(
    () => void reload().then(() => warnOfExpiry(files.expiries, now())),
    options.checkEveryMs ?? checkEveryMs,
  ).unref();

  async function reload(): Promise<void> {
    try {
      const read = await readFiles(folder);
      problem = undefined;
      if (areSame(read, files)) return;
      files = read;
      for (const listener of caListeners) listener(caUpdate());
      for (const listener of identityListeners) listener(files);
      logger.info({ valid_until: new X509Certificate(files.certificate).validTo }, 'new certificates in use');
    } catch (error) {
      const { message } = error as Error;
      if (message === problem) return;
      problem = message;
      logger.error({ err: error }, 'GRPC_TLS_DIR cannot be used; the previous certificates stay in use');
    }
  }

  return {
    addCaCertificateListener(listener) {
      caListeners.add(listener);
      process.nextTick(() => listener(caUpdate()));
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener);
      process.nextTick(() => listener(files));
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
    expiries: () => files.expiries,
    close: () => clearInterval(timer),
  };
}

/** @throws Error with a sentence without its full stop, when the files are not a valid certificate and its key */
async function readFiles(folder: string): Promise<Files> {
  // One after another: of several problems the same one is reported each time.
  const ca = await readOne(folder, 'ca.crt');
  const certificate = await readOne(folder, 'tls.crt');
  const privateKey = await readOne(folder, 'tls.key');
  const leaf = readCertificate(certificate, join(folder, 'tls.crt'));
  const { validFrom, validTo } = leaf;
  if (Date.now() > Date.parse(validTo)) throw new Error(`${join(folder, 'tls.crt')} expired on ${validTo}`);
  if (Date.now() < Date.parse(validFrom))
    throw new Error(`${join(folder, 'tls.crt')} is not valid before ${validFrom}`);
  readCertificate(ca, join(folder, 'ca.crt'));
  if (!leaf.checkPrivateKey(readKey(privateKey, join(folder, 'tls.key'))))
    throw new Error(`the key in ${join(folder, 'tls.key')} is not that of tls.crt`);
  createSecureContext({ ca, cert: certificate, key: privateKey });
  const expiries = [
    { file: 'tls.crt', expiresAtMs: Date.parse(validTo) },
    { file: 'ca.crt', expiresAtMs: firstExpiryMs(ca) },
  ] as const;
  return { ca, certificate, privateKey, expiries };
}

async function readOne(folder: string, name: string): Promise<Buffer> {
  return readFile(join(folder, name)).catch((cause: NodeJS.ErrnoException) => {
    const problem = `${join(folder, name)} cannot be read (${cause.code ?? cause.message})`;
    throw new Error(`${problem}; the folder needs ca.crt, tls.crt and tls.key`, { cause });
  });
}

function readCertificate(pem: Buffer, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new Error(`${path} is not a certificate in PEM format`, { cause });
  }
}

function readKey(pem: Buffer, path: string) {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new Error(`${path} is not a private key in PEM format`, { cause });
  }
}

function areSame(a: Files, b: Files): boolean {
  return a.ca.equals(b.ca) && a.certificate.equals(b.certificate) && a.privateKey.equals(b.privateKey);
}
