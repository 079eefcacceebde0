import { parentPort, workerData } from 'node:worker_threads';
import { startEngine } from './start-engine.ts';

/** What the thread tells when it takes connections. It is told one thing only: to stop. */
export type ReadyMessage = { mongodbUri: string };

const { dataDir } = workerData as { dataDir: string };

const engine = await startEngine({
  dataDir,
  // Thrown where nobody catches it: that ends the thread, and its starter sees why.
  onFault: (error) => {
    queueMicrotask(() => {
      throw error;
    });
  },
});
parentPort?.once('message', async () => {
  await engine.stop();
  process.exit();
});
const report: ReadyMessage = { mongodbUri: engine.mongodbUri };
parentPort?.postMessage(report);
