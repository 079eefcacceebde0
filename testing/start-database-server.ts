import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';

/** The server of the test databases: the one of MONGODB_URI if set, else a new embedded engine. */
export async function startDatabaseServer(): Promise<{ uri: string; stop(): Promise<void> }> {
  const configuredUri = process.env.MONGODB_URI;
  if (configuredUri) return { uri: configuredUri, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'shelfwise-test-'));
  const engine = await startEngine({ dataDir });
  return {
    uri: engine.mongodbUri,
    async stop() {
      await engine.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
