import { createKafkaBus } from '@shelfwise/runtime/events/kafka/kafka-bus';
import { createLogger } from '@shelfwise/runtime/logger';
import mongoose from 'mongoose';

// A consumer of `kafka-faults`: each event becomes a row, once, and each call of the handler another one. Prints
// `joined` for each assignment of partitions.
const connection = await mongoose
  .createConnection(process.env.MONGODB_URI ?? '', { dbName: 'effects' })
  .asPromise();
const effects = connection.collection<{ _id: string; key: string; order: number }>('effects');
const handled = connection.collection<{ event: string; pid: number }>('handled');
const logger = createLogger({
  name: 'consumer',
  level: 'info',
  destination: { write: (line) => line.includes('consumes events') && console.log('joined') },
});
const options = JSON.parse(process.env.FAULTS_OPTIONS ?? '{}');
const bus = createKafkaBus({ options, connection, logger, now: () => new Date() });
let order = 0;
await bus.subscribe({
  group: 'readers',
  topics: ['things.made.v1'],
  onEvent: async ({ id, key }) => {
    await handled.insertOne({ event: id, pid: process.pid });
    order++;
    await effects.updateOne(
      { _id: id },
      // Below 2 ** 53, or neighbors would get one number.
      { $setOnInsert: { key, order: Date.now() * 1000 + (order % 1000) } },
      { upsert: true },
    );
  },
});
process.on('SIGTERM', () => {
  void bus.stop().then(() => process.exit(0));
});
