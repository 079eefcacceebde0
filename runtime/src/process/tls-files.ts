import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { refuseSetting } from './config.ts';

/** For a client: the authorities that it trusts, and what it shows itself. All in PEM; undefined: not set. */
export type TlsFiles = { ca: string | undefined; cert: string | undefined; key: string | undefined };

/**
 * Reads the files of the settings `<prefix>_CA`, `<prefix>_CERT` and `<prefix>_KEY`.
 * @param paths where the files are; undefined: the setting is absent
 * @throws ConfigError when a file cannot be used, or a certificate has no key. It contains nothing of the files
 */
export function readTlsFiles(prefix: string, paths: TlsFiles): TlsFiles {
  const { ca, cert, key } = paths;
  if ((cert === undefined) !== (key === undefined))
    refuseSetting(
      `${prefix}_${cert ? 'KEY' : 'CERT'}`,
      'is missing: the certificate and its key belong together',
    );
  const files = {
    ca: readPem(`${prefix}_CA`, ca),
    cert: readPem(`${prefix}_CERT`, cert),
    key: readPem(`${prefix}_KEY`, key),
  };
  check(
    `${prefix}_CA`,
    'is not a certificate in PEM format',
    () => files.ca && new X509Certificate(files.ca),
  );
  check(
    `${prefix}_CERT`,
    'is not a certificate in PEM format',
    () => files.cert && new X509Certificate(files.cert),
  );
  check(
    `${prefix}_KEY`,
    'is not a private key in PEM format without a password',
    () => files.key && createPrivateKey(files.key),
  );
  check(`${prefix}_KEY`, `is not the key of ${prefix}_CERT`, () =>
    createSecureContext({ cert: files.cert, key: files.key }),
  );
  return files;
}

function readPem(setting: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuseSetting(setting, `cannot be read: ${(error as Error).message}`);
  }
}

function check(setting: string, problem: string, use: () => unknown): void {
  try {
    use();
  } catch {
    refuseSetting(setting, problem);
  }
}
