import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDirectly, type DirectAccess } from '@shelfwise/embedded/direct/connect-directly';
import { startEngine } from '@shelfwise/embedded/start-engine';

export type DatabaseServer = {
  uri: string;
  /** Lets commands of this process take no socket. */
  inProcess?: DirectAccess;
  stop(): Promise<void>;
};

/** The server of the test databases: the one of MONGODB_URI if set, else a new embedded engine. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const configuredUri = process.env.MONGODB_URI;
  if (configuredUri) return { uri: configuredUri, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'shelfwise-test-'));
  const engine = await startEngine({ dataDir });
  return {
    uri: engine.mongodbUri,
    inProcess: connectDirectly(engine.link),
    async stop() {
      await engine.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
