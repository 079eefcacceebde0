import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with ca.crt, tls.crt and tls.key for these hosts, of an authority that all folders share. */
export function createCertificates(dir: string, name: string, ...hosts: string[]): void {
  const script = new URL('../../deploy/tls/create-certificates.sh', import.meta.url).pathname;
  execFileSync('bash', [script, dir, `${name}=${hosts.join(',')}`], { stdio: 'ignore' });
}

/** The file that Kafka takes: the key and the certificates of such a folder. */
export function createKeystore(folder: string): string {
  const keystore = join(folder, 'keystore.pem');
  // Kafka takes keys in the format PKCS #8 only.
  const key = execFileSync('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', join(folder, 'tls.key')]);
  const certificates = ['tls.crt', 'ca.crt'].map((name) => readFileSync(join(folder, name)));
  writeFileSync(keystore, Buffer.concat([key, ...certificates]), { mode: 0o600 });
  return keystore;
}
