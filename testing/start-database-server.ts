import { mkdtempSync } from 'node:fs';
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

let shared: Promise<DatabaseServer> | undefined;

/**
 * As `startDatabaseServer`, but in a run of tests one engine serves all files of this process, because a start costs more
 * than many files. It ends with the process, and its folder is deleted after the run.
 */
export function shareDatabaseServer(): Promise<DatabaseServer> {
  const folder = process.env.TEST_DATABASES;
  if (!folder || process.env.MONGODB_URI) return startDatabaseServer();
  shared ??= startUntilExit(folder);
  return shared;
}

async function startUntilExit(folder: string): Promise<DatabaseServer> {
  const engine = await startEngine({ dataDir: mkdtempSync(join(folder, 'process-')) });
  engine.unref();
  return { uri: engine.mongodbUri, inProcess: connectDirectly(engine.link), stop: async () => {} };
}
