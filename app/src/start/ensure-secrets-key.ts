import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { secretKeyBytes } from '@shelfwise/runtime/secrets/secret-box';
import { parseSecretsKey } from '@shelfwise/runtime/secrets/secrets-key';
import { readKeyFile, saveKeyFile } from '../data-folder/key-file.ts';

/** In the data folder, and in no backup of it: with the key, a backup would tell every secret. */
export const secretsKeyFile = 'secrets-key';

/**
 * The keys that secrets of accounts are encrypted with: those of `SECRETS_KEY`, or the key in a file that only the owner can
 * read. The first start creates the file.
 * @param setting absent: undefined
 * @throws StartError when the file cannot be used. It contains nothing of the file
 */
export async function ensureSecretsKey(dataDir: string, setting: Buffer[] | undefined): Promise<Buffer[]> {
  if (setting) return setting;
  const file = join(dataDir, secretsKeyFile);
  const saved = await readKeyFile(file, 'The key of secrets');
  if (saved === null) {
    const key = randomBytes(secretKeyBytes);
    await saveKeyFile(file, key.toString('hex'));
    return [key];
  }
  const keys = parseSecretsKey(saved);
  if (keys) return keys;
  throw new StartError(
    `${file} has no key of ${secretKeyBytes} bytes. Restore the file; without it, saved secrets cannot be read.`,
  );
}
