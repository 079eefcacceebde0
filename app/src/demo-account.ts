import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { AppError } from '@shelfwise/runtime/errors';
import { StartError } from '@shelfwise/runtime/process/start-error';

const demo = { email: 'demo@example.com', plan: 'unlimited' };

export type DemoAccount = {
  /** Null when the key that is kept is not the account's any more. */
  key: string | null;
  /** What somebody should know about it. */
  note: string | null;
  /** Made by this very start. */
  isNew: boolean;
};

/** Makes the demo account once and keeps its key in a file that only the owner can read. A key that is gone is replaced. */
export async function ensureDemoAccount(deps: { accounts: Accounts; keyFile: string }): Promise<DemoAccount> {
  const { accounts, keyFile } = deps;
  const kept = await readKey(keyFile);
  if (kept !== null && (await accounts.findByKey(kept)) !== null)
    return { key: kept, note: null, isNew: false };
  try {
    const { key } = await accounts.create(demo);
    await keepKey(keyFile, key);
    return { key, note: null, isNew: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DUPLICATE') throw error;
  }
  if (kept !== null) {
    const note = `its key was replaced since; delete ${keyFile} and start again for a new one`;
    return { key: null, note, isNew: false };
  }
  const { key } = await accounts.regenerateKey({ email: demo.email });
  await keepKey(keyFile, key);
  return { key, note: 'its key file was gone: this is a new key', isNew: false };
}

async function readKey(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw new StartError(`The demo account's key cannot be read from ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Written whole or not at all. */
async function keepKey(file: string, key: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600 });
  await rename(draft, file);
}
