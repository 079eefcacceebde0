/** Runs the embedded database as a main.ts would. The arguments are the scenario and the data folder. */
import mongoose from 'mongoose';
import { startEmbedded } from '../src/start-embedded.ts';

const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
const [, , scenario = '', dataDir = ''] = process.argv;

const scenarios: Record<string, () => Promise<void>> = {
  'write-and-stop': async () => {
    const embedded = await startEmbedded({ dataDir, worker, onFailure: () => console.log('failed') });
    const connection = await mongoose.createConnection(embedded.mongodbUri).asPromise();
    await connection.collection('things').insertOne({ n: 1 });
    console.log(await connection.collection('things').countDocuments());
    await connection.close();
    await embedded.stop();
    await embedded.stop();
  },
  'thread-dies': async () => {
    const program = `
      import { parentPort } from 'node:worker_threads';
      parentPort.postMessage({ mongodbUri: 'mongodb://nowhere' });
      setTimeout(() => { throw new Error('the disk is gone'); }, 50);`;
    const dying = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    await startEmbedded({ dataDir, worker: dying, onFailure: ({ message }) => console.log(message) });
  },
  'cannot-start': async () => {
    const start = startEmbedded({ dataDir, worker, onFailure: () => console.log('failed') });
    await start.catch((error: Error) => console.log(error.message));
  },
};

await scenarios[scenario]?.();
