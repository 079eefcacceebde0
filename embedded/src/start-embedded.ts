import { Worker } from 'node:worker_threads';
import { databaseFile, type RunningEngine } from './start-engine.ts';
import { checkDatabaseFile } from './storage/check-database-file.ts';
import type { ReadyMessage } from './worker.ts';

export type EmbeddedOptions = {
  dataDir: string;
  /**
   * The entry of the worker thread: `new URL(import.meta.resolve('@shelfwise/embedded/worker'))`. Only ESM can
   * resolve it.
   */
  worker: URL;
  /**
   * Called if the thread ends without a call of `stop`. The database is then unavailable, and the process should end.
   */
  onFailure(error: Error): void;
};

/** How long a start reads the pages of the database file, in ms: some hundred megabytes. */
const checkMs = 1000;

/**
 * Runs the database in a worker thread, so that a long scan does not block the requests of this thread. The caller
 * must have claimed the data folder (`claimDataFolder`). Rejects if the database cannot start.
 * @throws DamagedFileError when the database file is damaged
 */
export async function startEmbedded({ dataDir, worker, onFailure }: EmbeddedOptions): Promise<RunningEngine> {
  checkDatabaseFile(databaseFile(dataDir), checkMs);
  const thread = new Worker(worker, { workerData: { dataDir } });
  let isStopping = false;
  const failure = new Promise<Error>((resolve) => {
    thread.once('error', resolve);
    thread.once('exit', (code) => resolve(new Error(`the embedded database ended with exit code ${code}`)));
  });

  const mongodbUri = await new Promise<string>((resolve, reject) => {
    thread.once('message', (report: ReadyMessage) => resolve(report.mongodbUri));
    void failure.then(reject);
  });
  void failure.then((error) => {
    if (!isStopping) onFailure(error);
  });

  return {
    mongodbUri,
    stop: async () => {
      isStopping = true;
      thread.postMessage('stop');
      await failure;
    },
  };
}
