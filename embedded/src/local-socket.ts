import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Socket paths end at 108 bytes on Linux and at 104 on macOS; the longest name of ours is within this limit. */
const maxPathBytes = 100;
const longestSocketName = 'control.sock';

/** Makes the data folder if need be, for its owner only, and answers its real path. */
export function makeDataFolder(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return realpathSync(dataDir);
}

/**
 * Where a local socket of the data folder lives: in a folder that only its owner may enter. That is `run` in the data
 * folder or, where the path would be too long for a socket, one below /tmp. That is not the folder of TMPDIR: two
 * processes with different ones must find each other. On Windows it is a named pipe.
 *
 * @param dataDir an existing folder; two spellings of one folder give one path
 * @param name ends in `.sock`, by which the MongoDB driver knows a socket from a host
 */
export function localSocketPath(dataDir: string, name: string): string {
  const folder = realpathSync(dataDir);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\shelfwise-${digest}-${name}`;
  const inside = join(folder, 'run');
  const isShort = Buffer.byteLength(join(inside, longestSocketName)) <= maxPathBytes;
  return join(isShort ? inside : `/tmp/shelfwise-${process.getuid?.()}-${digest}`, name);
}

/** Makes the folder of a socket path; refuses one that somebody else made or may enter. */
export function makeSocketFolder(folder: string): void {
  if (process.platform === 'win32') return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.()) {
    throw new Error(`${folder} is not a folder of this user: remove it, or choose another data folder`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
