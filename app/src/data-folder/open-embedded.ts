import { startEmbedded } from '@shelfwise/embedded/start-embedded';
import { databaseFile, type RunningEngine } from '@shelfwise/embedded/start-engine';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { explainDiskFull, isDiskFull } from './is-disk-full.ts';

export type DatabaseFailure = { sentence: string; cause: unknown };

/**
 * Opens the embedded database of a claimed data folder.
 * @param onFailure called when the database fails later and cannot go on: the process should end
 * @throws StartError when it cannot be opened
 */
export async function openEmbedded(options: {
  dataDir: string;
  /** the entry file of the database's thread */
  worker: URL;
  onFailure(failure: DatabaseFailure): void;
}): Promise<RunningEngine> {
  const { dataDir, worker, onFailure } = options;
  try {
    return await startEmbedded({
      dataDir,
      worker,
      onFailure: (cause) => onFailure({ sentence: explainDatabaseFailure(cause, dataDir), cause }),
    });
  } catch (cause) {
    throw new StartError(explainOpenFailure(cause, dataDir), { cause });
  }
}

/** What an operator can do when the running database has failed. */
export function explainDatabaseFailure(error: Error, dataDir: string): string {
  const ended = 'The embedded database failed, so Shelfwise ends';
  const afterwards = 'Nothing that was acknowledged is lost.';
  if (isDiskFull(error, dataDir))
    return `${ended}: the disk of the data folder ${dataDir} is full. Free some space, then start again. ${afterwards}`;
  return `${ended}: ${endWithFullStop(error.message)} Check the disk of the data folder ${dataDir} and its free space, then start again. ${afterwards}`;
}

function explainOpenFailure(error: unknown, dataDir: string): string {
  const { name, message, code } = error as Error & { code?: unknown };
  const file = databaseFile(dataDir);
  if (name === 'DamagedFileError')
    return `The database file ${file} ${message}. Keep a copy of the folder, then restore a backup (docs/operations.md), or delete the file to start with an empty database.`;
  if (isDiskFull(error, dataDir)) return explainDiskFull(dataDir);
  if (code === 'EACCES' || code === 'EPERM')
    return `The database file ${file} cannot be opened: permission denied. Start Shelfwise as the owner of the data folder.`;
  return `The embedded database in ${dataDir} cannot be opened: ${endWithFullStop(message)} If this stays, restore a backup (docs/operations.md).`;
}

function endWithFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
