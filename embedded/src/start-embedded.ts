import { Worker } from 'node:worker_threads';
import type { RunningEngine } from './start-engine.ts';
import type { ReadyMessage } from './worker.ts';

export type EmbeddedOptions = {
  dataDir: string;
  /** The thread's entry: `new URL(import.meta.resolve('@shelfwise/embedded/worker'))`, which only ESM can tell. */
  worker: URL;
  /** The thread has died although nobody stopped it; the database is gone, and the process should end. */
  onFailure(error: Error): void;
};

/**
 * Runs the database in a thread of its own, so that a long scan never holds the requests of this one. The caller
 * must hold the data folder (`claimDataFolder`). Rejects when it cannot start.
 */
export async function startEmbedded({ dataDir, worker, onFailure }: EmbeddedOptions): Promise<RunningEngine> {
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
