import { parentPort, workerData } from 'node:worker_threads';
import { startEngine } from './start-engine.ts';

/** Sent to the parent thread once the engine accepts connections. The parent thread sends one message only: to stop. */
export type ReadyMessage = { mongodbUri: string };

const { dataDir } = workerData as { dataDir: string };

const engine = await startEngine({
  dataDir,
  // An uncaught error ends the thread, and the parent thread receives it.
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
