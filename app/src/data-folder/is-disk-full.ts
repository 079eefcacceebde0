import { statfsSync } from 'node:fs';

const sayFull = /no space left|ENOSPC|quota exceeded|EDQUOT|file too large|EFBIG|MDB_MAP_FULL/i;
/** LMDB reports a write that was cut short as an I/O error. A full disk cuts writes short; a broken one also fails otherwise. */
const mayMeanFull = /input\/output error|\bEIO\b/i;
/** What is free of a disk that has just cut a write short, in bytes: less than the database writes at once. */
const leastFreeBytes = 1024 * 1024;

/**
 * Whether the disk of the data folder refused a write: no space, over the quota, or over the largest file. Looks at the
 * message, because failures of LMDB, and errors that crossed a thread, have no code.
 * @param readFreeBytes the free space of the disk now, in bytes; may throw
 */
export function isDiskFull(
  error: unknown,
  dataDir: string,
  readFreeBytes: (dataDir: string) => number = readFreeBytesOf,
): boolean {
  const { message = '' } = (error ?? {}) as { message?: string };
  if (sayFull.test(message)) return true;
  if (!mayMeanFull.test(message)) return false;
  try {
    return readFreeBytes(dataDir) < leastFreeBytes;
  } catch {
    return false;
  }
}

function readFreeBytesOf(dataDir: string): number {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize;
}

export function explainDiskFull(dataDir: string): string {
  return `The disk of the data folder ${dataDir} is full. Free some space, then start again.`;
}
