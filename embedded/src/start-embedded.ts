import { Worker } from 'node:worker_threads';
import { createThreadLink } from './direct/create-thread-link.ts';
import type { ReadyMessage, ThreadReply, ThreadRequest } from './direct/thread-messages.ts';
import { createShortReader } from './engine/create-short-reader.ts';
import { databaseFile, type RunningEngine } from './start-engine.ts';
import { checkDatabaseFile } from './storage/check-database-file.ts';
import { openSnapshotReader } from './storage/key-value-store.ts';

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
 * Runs the database in a worker thread: its writes and long reads do not block the requests of this thread, which runs
 * short reads itself. The caller must have claimed the data folder (`claimDataFolder`). Rejects if the database cannot start.
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
  const link = createThreadLink({
    post: (request: ThreadRequest) => thread.postMessage(request),
    openReader: () => createShortReader(openSnapshotReader(databaseFile(dataDir))),
  });
  thread.on('message', (reply: ThreadReply) => link.onReply(reply));
  const closed = failure.then(async (error) => {
    await link.close();
    if (!isStopping) onFailure(error);
  });

  return {
    mongodbUri,
    link,
    stop: async () => {
      isStopping = true;
      const stop: ThreadRequest = { kind: 'stop' };
      thread.postMessage(stop);
      await closed;
    },
  };
}
