import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Socket paths are limited to 108 bytes on Linux and 104 bytes on macOS. */
const maxPathBytes = 100;
const longestSocketName = 'control.sock';

/** Creates the data folder if it does not exist, accessible to its owner only. Returns its real path. */
export function makeDataFolder(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return realpathSync(dataDir);
}

/**
 * The path of a local socket of the data folder, inside a folder that only its owner may enter. This is `run` in the
 * data folder, or a folder below /tmp if the path would be too long for a socket. TMPDIR is ignored, because two
 * processes with different values must find each other. On Windows the socket is a named pipe.
 *
 * @param dataDir an existing folder; every spelling of a folder gives the same path
 * @param name ends in `.sock`, by which the MongoDB driver distinguishes a socket from a host
 */
export function localSocketPath(dataDir: string, name: string): string {
  const folder = realpathSync(dataDir);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\shelfwise-${digest}-${name}`;
  const inside = join(folder, 'run');
  const isShort = Buffer.byteLength(join(inside, longestSocketName)) <= maxPathBytes;
  return join(isShort ? inside : `/tmp/shelfwise-${process.getuid?.()}-${digest}`, name);
}

/** Creates the folder of a socket path. Refuses a folder of another user. */
export function makeSocketFolder(folder: string): void {
  if (process.platform === 'win32') return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.()) {
    throw new Error(`${folder} is not a folder owned by this user: remove it or choose another data folder`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
