import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDirectly } from '@shelfwise/embedded/direct/connect-directly';
import { startEngine } from '@shelfwise/embedded/start-engine';
import type { ConnectOptions } from 'mongoose';

export type DatabaseServer = {
  uri: string;
  /** With these, commands of this process take no socket. */
  options: ConnectOptions;
  stop(): Promise<void>;
};

/** The server of the test databases: the one of MONGODB_URI if set, else a new embedded engine. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const configuredUri = process.env.MONGODB_URI;
  if (configuredUri) return { uri: configuredUri, options: {}, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'shelfwise-test-'));
  const engine = await startEngine({ dataDir });
  return {
    uri: engine.mongodbUri,
    options: connectDirectly(engine.link),
    async stop() {
      await engine.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
