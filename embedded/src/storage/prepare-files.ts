import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** LMDB needs 8272 bytes: a header and a slot of 64 bytes for each of 126 readers. It never shrinks the file. */
const lockFileBytes = 12_288;
/** More than a new database needs. */
const newDatabaseBytes = 1024 * 1024;

/**
 * Prepares the files of an LMDB database to be opened. LMDB would end the process by a signal when it cannot create the
 * database or open its lock file. On a full disk it would do so at the first write to a new lock file, which has no
 * space reserved.
 * @throws an error, also when the disk has no room for a new database
 */
export function prepareFiles(databasePath: string): void {
  if (!existsSync(databasePath)) requireSpace(dirname(databasePath));
  const lockPath = `${databasePath}-lock`;
  reserveLockFile(lockPath);
  requireFile(lockPath);
}

/** Does not open the file: closing it would release the locks that this process has on it. */
function requireFile(path: string): void {
  if (!statSync(path).isFile()) throw new Error(`${path} is not a file: remove it`);
  accessSync(path, constants.R_OK | constants.W_OK);
}

function requireSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < newDatabaseBytes) throw new Error('no space left on device');
}

/** Creates the file unless it exists. It appears complete, because another process may open it at any time. */
function reserveLockFile(path: string): void {
  if (existsSync(path)) return;
  const temporaryPath = `${path}.${randomBytes(3).toString('hex')}`;
  try {
    const file = openSync(temporaryPath, 'wx', 0o600);
    try {
      writeSync(file, Buffer.alloc(lockFileBytes));
    } finally {
      closeSync(file);
    }
    linkSync(temporaryPath, path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryPath, { force: true });
  }
}
