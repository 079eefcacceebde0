import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { wrapFolderErrors } from './claim-folder.ts';

/**
 * The key in a file of the data folder. Null: there is no such file.
 * @param what starts the sentence of the error, such as `The key of the demo account`
 * @throws StartError when the file cannot be read
 */
export async function readKeyFile(file: string, what: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return null;
    throw new StartError(`${what} cannot be read from ${file}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Writes the file for its owner only, atomically: a crash never leaves a partial key.
 * @throws StartError when the file cannot be written: a full disk, for example
 */
export async function saveKeyFile(file: string, key: string): Promise<void> {
  const temporaryFile = `${file}.${randomUUID()}`;
  await wrapFolderErrors(dirname(file), async () => {
    try {
      await writeFile(temporaryFile, `${key}\n`, { mode: 0o600, flush: true });
      await rename(temporaryFile, file);
    } catch (error) {
      await rm(temporaryFile, { force: true });
      throw error;
    }
  });
}
