import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';
import {
  isListening,
  localSocketPath,
  makeDataFolder,
  makeSocketFolder,
  readErrorCode,
} from './local-socket.ts';
import { checkDatabaseFile, DamagedFileError } from './storage/check-database-file.ts';
import { prepareFiles } from './storage/prepare-files.ts';

export type Claim =
  /** This process owns the folder until `release` is called or the process ends, however it ends. */
  | { kind: 'claimed'; server: Server; release(): Promise<void> }
  /** Another process owns the folder and listens on this socket. */
  | { kind: 'taken'; socketPath: string };

/** The socket on which the owner of a data folder listens. The folder must exist. */
export function controlSocketPath(dataDir: string): string {
  return localSocketPath(dataDir, 'control.sock');
}

/**
 * Claims the data folder for this process, or finds the process that owns it. The claim is a listening local socket.
 * The operating system closes it with the process, so a socket file without a listener means that the folder is free.
 * The socket speaks HTTP.
 *
 * @param onRequest handles the requests of other processes: a second start, or an operator's command
 */
export async function claimDataFolder(dataDir: string, onRequest: RequestListener): Promise<Claim> {
  const folder = makeDataFolder(dataDir);
  const path = controlSocketPath(folder);
  makeSocketFolder(dirname(path));
  const server = createServer(onRequest);
  try {
    return await (process.platform === 'win32' ? claimPipe(server, path) : claimSocket(server, path, folder));
  } catch (error) {
    await close(server);
    throw error;
  }
}

/** A pipe name can be used once, and Windows removes it when the process ends. */
async function claimPipe(server: Server, path: string): Promise<Claim> {
  try {
    await listen(server, path);
  } catch (error) {
    if (readErrorCode(error) === 'EADDRINUSE') return { kind: 'taken', socketPath: path };
    throw error;
  }
  return { kind: 'claimed', server, release: () => close(server) };
}

/**
 * Listens on a temporary path first, then links it to the final path. The link fails if the final path exists. Every
 * process that sees the final path can therefore connect to it immediately.
 */
async function claimSocket(server: Server, path: string, folder: string): Promise<Claim> {
  // Created while there is space for it: on a full disk, a start must still be able to remove a dead socket.
  if (!existsSync(lockDatabase(folder))) await withLock(folder, () => {});
  const temporaryPath = join(dirname(path), `${randomBytes(3).toString('hex')}${temporarySuffix}`);
  await listen(server, temporaryPath);
  chmodSync(temporaryPath, 0o600);
  try {
    while (!linkIfFree(temporaryPath, path)) {
      const seen = readStat(path);
      if (!seen) continue;
      if (await isListening(path)) {
        await close(server);
        return { kind: 'taken', socketPath: path };
      }
      await removeIfUnchanged(folder, path, seen);
    }
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  const claimed = readStat(path);
  removeLeftovers(path);
  return {
    kind: 'claimed',
    server,
    release: async () => {
      if (claimed) await removeIfUnchanged(folder, path, claimed);
      await close(server);
    },
  };
}

const temporarySuffix = '.own.sock';

function linkIfFree(temporaryPath: string, path: string): boolean {
  try {
    linkSync(temporaryPath, path);
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the socket file unless it was replaced since `seen`. Two processes that find the same dead socket must not
 * both remove it: the second would remove the new socket of the first. The check and the removal therefore run inside
 * a write transaction of LMDB, whose lock the operating system releases when a process is killed. The new socket file
 * may have the inode number of the old one, so the change time is compared, too.
 */
async function removeIfUnchanged(folder: string, path: string, seen: BigIntStats): Promise<void> {
  await withLock(folder, () => {
    const current = readStat(path);
    if (current?.ino === seen.ino && current.ctimeNs === seen.ctimeNs) unlinkSync(path);
  });
}

async function withLock(folder: string, work: () => void): Promise<void> {
  const path = lockDatabase(folder);
  checkLockDatabase(path);
  prepareFiles(path);
  const lock = open({ path, noSubdir: true });
  try {
    lock.transactionSync(work);
  } finally {
    await lock.close();
  }
}

/** An empty database: only its write lock is used. */
function lockDatabase(folder: string): string {
  return join(folder, 'claim.mdb');
}

/** @throws an error that says what to do when LMDB could not open the file, or would crash */
function checkLockDatabase(path: string): void {
  try {
    checkDatabaseFile(path);
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    throw new Error(`the file ${path} ${error.message}. It holds no data: delete it`, { cause: error });
  }
}

/**
 * A process that was killed during a claim leaves its temporary socket behind. A socket younger than a minute may
 * belong to a claim in progress.
 */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  // The time of the claim that just succeeded, from the clock of the file system like the times it is compared with.
  const claimedAtMs = readStat(path)?.mtimeMs ?? 0n;
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(temporarySuffix))) {
    const stat = readStat(join(folder, name));
    if (stat && claimedAtMs - stat.mtimeMs > 60_000n) rmSync(join(folder, name), { force: true });
  }
}

function readStat(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
