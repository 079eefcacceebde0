import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';

/** Socket paths are limited to 108 bytes on Linux and 104 bytes on macOS. */
const maxPathBytes = 100;
const longestSocketName = 'control.sock';

/** Creates the data folder if it does not exist, accessible to its owner only. Returns its real path. */
export function makeDataFolder(dataDir: string): string {
  makeFolder(dataDir);
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
  makeFolder(folder);
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.()) {
    throw new Error(`${folder} is not a folder owned by this user: remove it or choose another data folder`);
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/**
 * Removes the socket that a killed process left behind. The caller must own the data folder.
 * @throws Error that names the path when it cannot be removed, because it is a folder
 */
export function removeDeadSocket(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new Error(`${path} is in the place of a socket: remove it`, { cause });
  }
}

/**
 * Reports whether a process listens on the socket. EAGAIN means a full queue, which only a live process has. ECONNRESET
 * means that the listener closed before it accepted this connection: another may listen by now, so it is asked again.
 */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      const code = readErrorCode(error);
      if (code === 'EAGAIN') resolve(true);
      else if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false);
      else if (code === 'ECONNRESET') resolve(isListening(path));
      else reject(new Error(`cannot determine whether ${basename(path)} is in use`, { cause: error }));
    });
  });
}

/** Reads `code` without `instanceof Error`, which fails in Jest: system errors come from another realm there. */
export function readErrorCode(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}

/**
 * Creates the folder and its missing parents, accessible to their owner only. Node's `recursive` option never returns
 * when a folder cannot be created although its parent exists, as in /proc (ENOENT).
 */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
