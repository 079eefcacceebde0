/**
 * Writes to an embedded database whose thread dies meanwhile. Prints the ids of the writes that were acknowledged and the names of the
 * errors of the others. The argument is the data folder.
 */
import mongoose from 'mongoose';
import { connectDirectly } from '../src/direct/connect-directly.ts';
import { startEmbedded } from '../src/start-embedded.ts';

const [, , dataDir = ''] = process.argv;
const embedded = await startEmbedded({
  dataDir,
  worker: new URL('dying-worker.mjs', import.meta.url),
  onFailure: () => {},
});
const { options, adopt } = connectDirectly(embedded.link);
const connection = mongoose.createConnection(embedded.mongodbUri, {
  ...options,
  dbName: 'd',
  serverSelectionTimeoutMS: 2000,
});
adopt(connection);
await connection.asPromise();
const things = connection.collection<{ _id: number; n?: number }>('things');
const acknowledged: number[] = [];
const errors = new Set<string>();

async function add(ids: readonly number[], write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
    acknowledged.push(...ids);
  } catch (error) {
    errors.add((error as Error).name);
  }
}

const upsert = (id: number) => things.findOneAndUpdate({ _id: id }, { $set: { n: 1 } }, { upsert: true });

await add([50], () => upsert(50));
for (let id = 0; id < 20; id++) await add([id], () => things.insertOne({ _id: id }));
const more = Array.from({ length: 150 }, (_, index) => 100 + index);
await Promise.all([
  // By the driver, too, which has its own way over the link.
  add([51], () => upsert(51)),
  ...more.map((id) => add([id], () => things.insertOne({ _id: id }))),
]);
console.log(JSON.stringify({ acknowledged, errors: [...errors] }));
process.exit();
