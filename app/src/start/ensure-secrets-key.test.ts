import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '@shelfwise/runtime/secrets/secret-box';
import { ensureSecretsKey } from './ensure-secrets-key.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  file = join(folder, 'secrets-key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the first start makes a key that only the owner can read, and later ones open what it sealed', async () => {
  const sealed = createSecretBox(await ensureSecretsKey(folder, undefined)).seal('hush', []);
  expect(readdirSync(folder)).toEqual(['secrets-key']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect(createSecretBox(await ensureSecretsKey(folder, undefined)).open(sealed, [])).toBe('hush');
});

test('with a setting there is no file', async () => {
  const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(await ensureSecretsKey(folder, keys)).toEqual(keys);
  expect(readdirSync(folder)).toEqual([]);
});

test('an operator may put a new key before the old one', async () => {
  const sealed = createSecretBox(await ensureSecretsKey(folder, undefined)).seal('hush', []);
  writeFileSync(file, `${'ab'.repeat(32)},${readFileSync(file, 'utf8')}`);
  const box = createSecretBox(await ensureSecretsKey(folder, undefined));
  expect(box.open(sealed, [])).toBe('hush');
  expect(box.isCurrent(sealed)).toBe(false);
});

test('a damaged file is neither replaced nor shown', async () => {
  writeFileSync(file, 'hush-1');
  const failed = ensureSecretsKey(folder, undefined);
  await expect(failed).rejects.toThrow(`${file} has no key of 32 bytes.`);
  await expect(failed).rejects.not.toThrow('hush-1');
  expect(readFileSync(file, 'utf8')).toBe('hush-1');
});

test('a folder that cannot be written is a sentence that says what to do', async () => {
  await expect(ensureSecretsKey(join(folder, 'missing'), undefined)).rejects.toThrow(
    'Set SHELFWISE_DATA_DIR to a folder that you can write to.',
  );
});
