import { parentPort, workerData } from 'node:worker_threads';
import { startEngine } from './start-engine.ts';

/** Sent to the parent thread once the engine accepts connections. The parent thread sends one message only: to stop. */
export type ReadyMessage = { mongodbUri: string };

const { dataDir } = workerData as { dataDir: string };

// A failure is uncaught: it ends the thread, and the parent thread receives it.
const engine = await startEngine({ dataDir });
parentPort?.once('message', async () => {
  await engine.stop();
  process.exit();
});
const report: ReadyMessage = { mongodbUri: engine.mongodbUri };
parentPort?.postMessage(report);
