import { setTimeout as sleep } from 'node:timers/promises';
import { createKafkaBus } from '@shelfwise/runtime/events/kafka/kafka-bus';
import { createLogger } from '@shelfwise/runtime/log/logger';
import mongoose from 'mongoose';

// A consumer of `kafka-brokers`. Tells its parent of each assignment of partitions and of each event that it handled.
export type HandledChange = { key: string; change: number; at: number };
export type ConsumerMessage = { joined: true } | { handled: HandledChange };

const tell = (message: ConsumerMessage) => process.send?.(message);
const connection = await mongoose
  .createConnection(process.env.MONGODB_URI ?? '', { dbName: 'applied' })
  .asPromise();
const isVerbose = process.env.FAULTS_VERBOSE === 'true';
const logger = createLogger({
  name: `consumer ${process.pid}`,
  level: isVerbose ? 'debug' : 'info',
  destination: {
    write: (line) => {
      if (line.includes('consumes events')) tell({ joined: true });
      if (isVerbose) process.stderr.write(line);
    },
  },
});
const bus = createKafkaBus({
  options: JSON.parse(process.env.FAULTS_OPTIONS ?? '{}'),
  connection,
  logger,
  now: () => new Date(),
});
await bus.subscribe({
  group: 'readers',
  topics: ['rows.changed.v1'],
  onEvent: async ({ key, payload }) => {
    const { change, slowMs } = JSON.parse(Buffer.from(payload).toString()) as {
      change: number;
      slowMs: number;
    };
    // Not a fault of the handler: what it does takes so long.
    if (slowMs > 0) await sleep(slowMs);
    tell({ handled: { key, change, at: Date.now() } });
  },
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => {
  void bus.stop().then(() => process.exit(0));
});
