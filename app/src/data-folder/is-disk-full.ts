/**
 * Whether the disk refused a write: no space, over the quota, or over the largest file. Looks at the message, because
 * failures of LMDB, and errors that crossed a thread, have no code.
 */
export function isDiskFull(error: unknown): boolean {
  const { message = '' } = (error ?? {}) as { message?: string };
  return /no space left|ENOSPC|quota exceeded|EDQUOT|file too large|EFBIG|MDB_MAP_FULL/i.test(message);
}

export function explainDiskFull(dataDir: string): string {
  return `The disk of the data folder ${dataDir} is full. Free some space, then start again.`;
}
