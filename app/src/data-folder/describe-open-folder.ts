import { statSync } from 'node:fs';
import { join } from 'node:path';

const writableByOthers = 0o022;
const readableByOthers = 0o044;

/**
 * A warning when other users can change the data folder, or read the database or a key in it; else null. Modes
 * say nothing on Windows.
 */
export function describeOpenFolder(dataDir: string): string | null {
  if (process.platform === 'win32') return null;
  if ((modeOf(dataDir) & writableByOthers) !== 0)
    return `Other users can write to the data folder ${dataDir}. Close it with: chmod 700 ${dataDir}`;
  const open = ['store.mdb', 'demo-key', 'secrets-key']
    .map((name) => join(dataDir, name))
    .find((path) => (modeOf(path) & (readableByOthers | writableByOthers)) !== 0);
  return open ? `Other users can read ${open}. Close it with: chmod 600 ${open}` : null;
}

/** 0 for a file that does not exist. */
function modeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}
