import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Certificates of authorities of their own, made by the script for operators and removed after the tests. */
export function useCertificates() {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sw-tls-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  return {
    /** Creates or renews a certificate for these hosts. Returns its folder. */
    issue(name: string, { hosts = 'localhost,127.0.0.1', authority = 'ours', days = 30 } = {}): string {
      const args = ['deploy/tls/create-certificates.sh', join(root, authority), `${name}=${hosts}`];
      execFileSync('bash', args, { env: { ...process.env, DAYS: String(days) } });
      return join(root, authority, name);
    },
  };
}

/** The files of a folder. */
export function readPems(folder: string): { ca: Buffer; key: Buffer; certificate: Buffer } {
  const read = (name: string) => readFileSync(join(folder, name));
  return { ca: read('ca.crt'), key: read('tls.key'), certificate: read('tls.crt') };
}
