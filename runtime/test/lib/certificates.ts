import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Options = {
  hosts?: string;
  authority?: string;
  days?: number;
};

/** Certificates of authorities of their own, made by the script for operators and removed after the tests. */
export function useCertificates() {
  let root: string;
  const created = new Map<string, string>();
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sw-tls-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  function create(name: string, options: Options = {}): string {
    const { hosts = 'localhost,127.0.0.1', authority = 'ours', days = 30 } = options;
    const args = ['deploy/tls/create-certificates.sh', join(root, authority), `${name}=${hosts}`];
    execFileSync('bash', args, { env: { ...process.env, DAYS: String(days) } });
    return join(root, authority, name);
  }

  return {
    /** Creates or renews a certificate for these hosts. Returns its folder. */
    create,
    /** A folder that no other test uses, with the certificate of these arguments. It is created once. */
    issue(name: string, options: Options = {}): string {
      const key = JSON.stringify([name, options]);
      const folder = created.get(key) ?? create(`${name}-${created.size}`, options);
      created.set(key, folder);
      const copy = mkdtempSync(join(root, `${name}-`));
      cpSync(folder, copy, { recursive: true });
      return copy;
    },
  };
}

/** The files of a folder. */
export function readPems(folder: string): { ca: Buffer; key: Buffer; certificate: Buffer } {
  const read = (name: string) => readFileSync(join(folder, name));
  return { ca: read('ca.crt'), key: read('tls.key'), certificate: read('tls.crt') };
}
