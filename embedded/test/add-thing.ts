import mongoose from 'mongoose';
import { startEmbedded } from '../src/start-embedded.ts';

/** Starts the embedded database, adds a thing, and stops it. Returns how many things there are. */
export async function addThing(dataDir: string, worker: URL): Promise<number> {
  const embedded = await startEmbedded({
    dataDir,
    worker,
    onFailure: (error) => {
      throw error;
    },
  });
  const connection = await mongoose.createConnection(embedded.mongodbUri).asPromise();
  await connection.collection('things').insertOne({ n: 1 });
  const count = await connection.collection('things').countDocuments();
  await connection.close();
  await embedded.stop();
  await embedded.stop();
  return count;
}
