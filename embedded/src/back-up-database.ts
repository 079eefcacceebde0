import { open } from 'lmdb';
import { databaseFile } from './start-engine.ts';
import { checkDatabaseFile, DamagedFileError, type FileCheck } from './storage/check-database-file.ts';
import { prepareFiles } from './storage/prepare-files.ts';

/**
 * Copies the database of a data folder into a new file, and checks the whole copy. Works while another process serves
 * the database: the copy holds all writes that were acknowledged before the call, and none in part.
 * @param path must not exist
 * @throws DamagedFileError when the database or its copy is damaged, or the error of the disk
 */
export async function backUpDatabase(dataDir: string, path: string): Promise<FileCheck> {
  const source = databaseFile(dataDir);
  // Without time for the pages: while another process writes, they change during the check.
  checkDatabaseFile(source, 0);
  prepareFiles(source);
  const database = open({ path: source, noSubdir: true, readOnly: true });
  try {
    await database.backup(path, false);
  } finally {
    await database.close();
  }
  const check = checkDatabaseFile(path);
  if (!check) throw new DamagedFileError('was not copied');
  return check;
}
