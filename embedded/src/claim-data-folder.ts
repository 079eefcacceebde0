import { randomBytes } from 'node:crypto';
import { type BigIntStats, chmodSync, linkSync, lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { open } from 'lmdb';
import { localSocketPath, makeDataFolder, makeSocketFolder } from './local-socket.ts';

export type Claim =
  /** The folder is ours until the release, or until this process ends in whatever way. */
  | { kind: 'claimed'; server: Server; release(): Promise<void> }
  /** Another process has it, and listens here. */
  | { kind: 'taken'; socketPath: string };

/** Where the holder of a data folder listens. The folder must exist. */
export function controlSocketPath(dataDir: string): string {
  return localSocketPath(dataDir, 'control.sock');
}

/**
 * Takes the data folder for this process, or finds who has it. The claim is a listening local socket, which the
 * system closes with its process: a name that nobody listens behind is free. The socket speaks HTTP.
 *
 * @param onRequest answers those who connect: a second start, or a command of an administrator
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

/** A pipe's name can be had once, and ends with its process. */
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
 * Listens under a name of its own first and then links that to the known name, which fails when the name is there:
 * whoever sees the known name can connect to it at once.
 */
async function claimSocket(server: Server, path: string, folder: string): Promise<Claim> {
  const ownPath = join(dirname(path), `${randomBytes(3).toString('hex')}${ownSuffix}`);
  await listen(server, ownPath);
  chmodSync(ownPath, 0o600);
  try {
    while (!linkIfFree(ownPath, path)) {
      const seen = readStat(path);
      if (!seen) continue;
      if (await isListening(path)) {
        await close(server);
        return { kind: 'taken', socketPath: path };
      }
      await removeIfUnchanged(folder, path, seen);
    }
  } finally {
    rmSync(ownPath, { force: true });
  }
  const own = readStat(path);
  removeLeftovers(path);
  return {
    kind: 'claimed',
    server,
    release: async () => {
      if (own) await removeIfUnchanged(folder, path, own);
      await close(server);
    },
  };
}

const ownSuffix = '.own.sock';

function linkIfFree(ownPath: string, path: string): boolean {
  try {
    linkSync(ownPath, path);
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the name when it still is what was seen. Two starters that see the same dead socket must not both remove
 * it, or the second would remove the first one's new one: looking and removing happen inside a write transaction of
 * LMDB, whose lock the system frees when its holder is killed. The change time tells a reused inode from the old one.
 */
async function removeIfUnchanged(folder: string, path: string, seen: BigIntStats): Promise<void> {
  const lock = open({ path: join(folder, 'claim.mdb'), noSubdir: true });
  try {
    lock.transactionSync(() => {
      const current = readStat(path);
      if (current?.ino === seen.ino && current.ctimeNs === seen.ctimeNs) unlinkSync(path);
    });
  } finally {
    await lock.close();
  }
}

/** A starter that was killed on its way leaves its own name behind; one of the last minute may still be on its way. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  const now = readStat(path)?.mtimeMs ?? 0n;
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(ownSuffix))) {
    const stat = readStat(join(folder, name));
    if (stat && now - stat.mtimeMs > 60_000n) rmSync(join(folder, name), { force: true });
  }
}

/** Does somebody listen behind the name? A full queue counts: whoever has one lives. */
function isListening(path: string): Promise<boolean> {
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
      else reject(new Error(`cannot tell who holds ${basename(path)}`, { cause: error }));
    });
  });
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

/** Not by `instanceof`: the system's errors may come from another realm. */
function readErrorCode(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
