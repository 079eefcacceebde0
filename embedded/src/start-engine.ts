import { setMaxListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createEngine } from './engine/create-engine.ts';
import { localSocketPath, makeDataFolder, makeSocketFolder } from './local-socket.ts';
import { openKeyValueStore } from './storage/key-value-store.ts';
import { serveConnection } from './wire/serve-connection.ts';

const idleSweepMs = 60_000;

/** The file that holds the database of a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'store.mdb');
}

export type RunningEngine = {
  /** For any MongoDB driver in a process of the same user. */
  mongodbUri: string;
  /** Closes the connections, when what they asked is answered, and then the store. */
  stop(): Promise<void>;
};

export type EngineOptions = {
  dataDir: string;
  now?: () => Date;
  /** The engine has met a fault that it cannot go on from, and has stopped answering. */
  onFault?: (error: unknown) => void;
};

/**
 * Runs the database in this thread. The caller must hold the data folder (`claimDataFolder`): a second engine on it
 * would not see the first one's changes.
 */
export async function startEngine({
  dataDir,
  now = () => new Date(),
  onFault,
}: EngineOptions): Promise<RunningEngine> {
  const folder = makeDataFolder(dataDir);
  const path = localSocketPath(folder, 'mongodb.sock');
  makeSocketFolder(dirname(path));
  const connections = new Map<Socket, Promise<void>>();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const engine = createEngine({
    store: openKeyValueStore(databaseFile(folder)),
    now,
    onFault: (error) => {
      server.close();
      for (const socket of connections.keys()) socket.destroy();
      onFault?.(error);
    },
  });
  const server = createServer((socket) => {
    const serving = serveConnection(socket, { engine, stopping: stopping.signal }).finally(() =>
      connections.delete(socket),
    );
    connections.set(socket, serving);
  });
  // Left behind by a kill: whoever holds the data folder may take its name.
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  const sweep = setInterval(() => engine.cursors.closeIdle(), idleSweepMs).unref();

  return {
    mongodbUri: `mongodb://${encodeURIComponent(path)}`,
    stop: async () => {
      clearInterval(sweep);
      server.close();
      stopping.abort();
      await Promise.all(connections.values());
      await engine.close();
    },
  };
}
