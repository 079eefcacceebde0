/**
 * Writes with 8 concurrent writers, which reach the engine as the services of one process do, until the process is
 * killed, and prints each acknowledged write. Lines: `I id` inserted, `U id` updated, `d id` about to delete, `D id`
 * deleted.
 */
import { writeSync } from 'node:fs';
import { connectDirectly } from '@shelfwise/embedded/direct/connect-directly';
import { startEmbedded } from '@shelfwise/embedded/start-embedded';
import mongoose from 'mongoose';
import { createItems, type Item } from './embedded-crash-items.ts';

const writers = 8;
const [, , dataDir = ''] = process.argv;
const embedded = await startEmbedded({
  dataDir,
  worker: new URL(import.meta.resolve('@shelfwise/embedded/worker')),
  onFailure: (error) => {
    throw error;
  },
});
const { options, adopt } = connectDirectly(embedded.link);
const connection = mongoose.createConnection(embedded.mongodbUri, options);
adopt(connection);
await connection.asPromise();
const items = await createItems(connection);
const [last] = await items.find().sort({ _id: -1 }).limit(1).toArray();
let lastId = last?._id ?? 0;

function next(): Item {
  lastId += 1;
  return {
    _id: lastId,
    email: `e${lastId}@x.io`,
    a: lastId % 97,
    b: lastId,
    version: 0,
    text: 'p'.repeat(200),
  };
}

function report(kind: string, id: number): void {
  writeSync(1, `${kind} ${id}\n`);
}

async function write(): Promise<never> {
  for (;;) {
    const item = next();
    if (item._id % 10 === 0) {
      const many = Array.from({ length: 20 }, next);
      await items.insertMany(many);
      for (const { _id } of many) report('I', _id);
    }
    await items.insertOne(item);
    report('I', item._id);
    if (item._id % 3 === 0) {
      await items.updateOne(
        { _id: item._id },
        { $inc: { version: 1 }, $set: { email: `f${item._id}@x.io` } },
      );
      report('U', item._id);
    }
    if (item._id % 7 === 0) {
      report('d', item._id);
      await items.deleteOne({ _id: item._id });
      report('D', item._id);
    }
  }
}

await Promise.all(Array.from({ length: writers }, write));
