import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { AppError } from '@shelfwise/runtime/errors';
import { ensureDemoAccount } from './demo-account.ts';

/** Accounts of a database that remembers only whose key is valid. */
function createFakeAccounts() {
  let key: string | null = null;
  let made = 0;
  const account = { id: 'a', email: 'demo@example.com', plan: 'unlimited' };
  const accounts: Pick<Accounts, 'create' | 'findByKey' | 'regenerateKey'> = {
    async create() {
      if (key !== null) throw new AppError('DUPLICATE', 'There is an account already.');
      key = `key-${++made}`;
      return { ...account, key };
    },
    async regenerateKey() {
      key = `key-${++made}`;
      return { ...account, key };
    },
    findByKey: async (asked) => (asked === key ? { ...account, keyVersion: made } : null),
  };
  return accounts as Accounts;
}

let folder: string;
let keyFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
  keyFile = join(folder, 'demo-key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the demo account is made once and its key kept for its owner alone', async () => {
  const accounts = createFakeAccounts();
  expect(await ensureDemoAccount({ accounts, keyFile })).toEqual({ key: 'key-1', note: null, isNew: true });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(await ensureDemoAccount({ accounts, keyFile })).toEqual({ key: 'key-1', note: null, isNew: false });
});

test('a demo account whose key file is gone gets a new key', async () => {
  const accounts = createFakeAccounts();
  await ensureDemoAccount({ accounts, keyFile });
  rmSync(keyFile);
  expect(await ensureDemoAccount({ accounts, keyFile })).toMatchObject({ key: 'key-2', isNew: false });
  expect(readFileSync(keyFile, 'utf8').trim()).toBe('key-2');
});

test('a key that was replaced by its owner is left alone, and the start says that the file is out of date', async () => {
  const accounts = createFakeAccounts();
  await ensureDemoAccount({ accounts, keyFile });
  await accounts.regenerateKey({ email: 'demo@example.com' });
  const demo = await ensureDemoAccount({ accounts, keyFile });
  expect(demo.key).toBeNull();
  expect(demo.note).toMatch(/delete .*demo-key/);
  expect(await accounts.findByKey('key-2')).not.toBeNull();
});
