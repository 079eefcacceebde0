import { setMaxListeners } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createEngineLink } from './direct/create-engine-link.ts';
import type { Link } from './direct/link.ts';
import { createEngine } from './engine/create-engine.ts';
import { localSocketPath, makeDataFolder, makeSocketFolder, removeDeadSocket } from './local-socket.ts';
import { openKeyValueStore } from './storage/key-value-store.ts';
import { serveConnection } from './wire/serve-connection.ts';

const idleSweepMs = 60_000;

/** The file that holds all databases. It exists once an engine has started on the data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'store.mdb');
}

export type RunningEngine = {
  /** For MongoDB drivers in any process of the same user. */
  mongodbUri: string;
  /** For clients in this process; see `connectDirectly`. */
  link: Link;
  /** Answers what is pending, then closes the link, the connections and the store. */
  stop(): Promise<void>;
};

export type EngineOptions = {
  /** Created if it does not exist. */
  dataDir: string;
  now?: () => Date;
  /**
   * Called on a failure that the engine cannot recover from, after it has closed the socket and all connections. Without it
   * the error is uncaught, and ends the thread: none goes on without its database.
   */
  onFault?: (error: unknown) => void;
};

/**
 * Serves the embedded database to MongoDB drivers, from this thread. The caller must have claimed the data folder
 * (`claimDataFolder`): a second engine on the same folder would not see the changes of the first.
 */
export async function startEngine({
  dataDir,
  now = () => new Date(),
  onFault = throwUncaught,
}: EngineOptions): Promise<RunningEngine> {
  const folder = makeDataFolder(dataDir);
  const path = localSocketPath(folder, 'mongodb.sock');
  makeSocketFolder(dirname(path));
  const connections = new Map<Socket, Promise<void>>();
  const stopping = new AbortController();
  // Each connection adds a listener; Node warns above ten.
  setMaxListeners(0, stopping.signal);
  const engine = createEngine({
    store: openKeyValueStore(databaseFile(folder)),
    now,
    onFault: (error) => {
      link.fail();
      server.close();
      for (const socket of connections.keys()) socket.destroy();
      onFault(error);
    },
  });
  const link = createEngineLink(engine);
  const server = createServer((socket) => {
    const serving = serveConnection(socket, { engine, stopping: stopping.signal }).finally(() =>
      connections.delete(socket),
    );
    connections.set(socket, serving);
  });
  removeDeadSocket(path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  const sweep = setInterval(() => engine.cursors.closeIdle(), idleSweepMs).unref();

  return {
    mongodbUri: `mongodb://${encodeURIComponent(path)}`,
    link,
    stop: async () => {
      clearInterval(sweep);
      server.close();
      await link.close();
      stopping.abort();
      await Promise.all(connections.values());
      await engine.close();
    },
  };
}

function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
