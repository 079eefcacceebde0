import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { AppError } from '@shelfwise/runtime/errors';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { ensureDemoAccount } from './ensure-demo-account.ts';

/** One account with one valid key. */
function createFakeAccounts(): Pick<Accounts, 'create' | 'findByKey' | 'regenerateKey'> {
  let key: string | null = null;
  let keyCount = 0;
  const account = { id: 'a', email: 'demo@example.com', plan: 'unlimited' };
  return {
    async create() {
      if (key !== null) throw new AppError('DUPLICATE', 'The account exists.');
      key = `key-${++keyCount}`;
      return { ...account, key };
    },
    async regenerateKey() {
      key = `key-${++keyCount}`;
      return { ...account, key };
    },
    findByKey: async (candidate) => (candidate === key ? { ...account, keyVersion: keyCount } : null),
  };
}

let folder: string;
let keyFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
  keyFile = join(folder, 'demo-key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('creates the demo account once and saves its key in a file that only the owner can read', async () => {
  const accounts = createFakeAccounts();
  expect(await ensureDemoAccount({ accounts, keyFile })).toEqual({ key: 'key-1', note: null, isNew: true });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(await ensureDemoAccount({ accounts, keyFile })).toEqual({ key: 'key-1', note: null, isNew: false });
});

test('a key that cannot be saved is a sentence that says what to do, and the next start saves a new one', async () => {
  const accounts = createFakeAccounts();
  const parent = join(folder, 'later');
  const later = join(parent, 'demo-key');
  const failed = ensureDemoAccount({ accounts, keyFile: later });
  await expect(failed).rejects.toThrow(StartError);
  await expect(failed).rejects.toThrow(`The data folder ${parent} cannot be used: ENOENT`);
  mkdirSync(parent);
  expect(await ensureDemoAccount({ accounts, keyFile: later })).toMatchObject({ key: 'key-2', isNew: false });
  expect(readdirSync(parent)).toEqual(['demo-key']);
});

test('a missing key file is replaced with a new key', async () => {
  const accounts = createFakeAccounts();
  await ensureDemoAccount({ accounts, keyFile });
  rmSync(keyFile);
  expect(await ensureDemoAccount({ accounts, keyFile })).toMatchObject({ key: 'key-2', isNew: false });
  expect(readFileSync(keyFile, 'utf8').trim()).toBe('key-2');
});

test('a key that the operator replaced stays valid, and the start reports that the file is out of date', async () => {
  const accounts = createFakeAccounts();
  await ensureDemoAccount({ accounts, keyFile });
  await accounts.regenerateKey({ email: 'demo@example.com' });
  const demo = await ensureDemoAccount({ accounts, keyFile });
  expect(demo.key).toBeNull();
  expect(demo.note).toMatch(/delete .*demo-key/);
  expect(await accounts.findByKey('key-2')).not.toBeNull();
});
