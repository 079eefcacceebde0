import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { AppError } from '@shelfwise/runtime/errors';
import type { AllInOneSettings } from '../config.ts';
import { readKeyFile, saveKeyFile } from '../data-folder/key-file.ts';

export const demoEmail = 'demo@example.com';
const demo = { email: demoEmail, plan: 'unlimited' };

export type DemoAccount = {
  /** Null when the key in the file is no longer valid: a start does not replace the operator's newer key. */
  key: string | null;
  /** A hint for the operator; null when there is none. */
  note: string | null;
  /** Whether this start created the account. */
  isNew: boolean;
};

/** Sample data in the embedded database has a demo account by default; live stores and a real database do not. */
export function hasDemoAccount(settings: AllInOneSettings): boolean {
  const isSample = settings.STORE_SOURCE === 'sample' && settings.MONGODB_URI === undefined;
  return settings.SHELFWISE_DEMO_ACCOUNT ?? isSample;
}

/**
 * Creates the demo account on the first start and saves its key in a file that only the owner can read. When the file
 * is missing, the account gets a new key, because the database stores only a hash of the old one.
 * @throws StartError when the file cannot be read or written: a full disk, for example
 */
export async function ensureDemoAccount(deps: {
  accounts: Pick<Accounts, 'create' | 'findByKey' | 'regenerateKey'>;
  keyFile: string;
}): Promise<DemoAccount> {
  const { accounts, keyFile } = deps;
  const savedKey = await readKeyFile(keyFile, 'The key of the demo account');
  if (savedKey !== null && (await accounts.findByKey(savedKey)) !== null)
    return { key: savedKey, note: null, isNew: false };
  try {
    const { key } = await accounts.create(demo);
    await saveKeyFile(keyFile, key);
    return { key, note: null, isNew: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DUPLICATE') throw error;
  }
  if (savedKey !== null) {
    const note = `the key was replaced; delete ${keyFile} and restart to get a new one`;
    return { key: null, note, isNew: false };
  }
  const { key } = await accounts.regenerateKey({ email: demo.email });
  await saveKeyFile(keyFile, key);
  return { key, note: 'the key file was missing: this is a new key', isNew: false };
}
