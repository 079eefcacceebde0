/** A child process of `faults/kill-outbox-copies.ts`: a copy of a service that only publishes. Its parent is the event bus. */
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Model } from 'mongoose';
import { openOutboxRows } from './outbox-rows.ts';

const [uri = '', database = ''] = process.argv.slice(2);
const logger = createLogger({ name: 'copy', level: 'error', destination: process.stderr });
const connection = await connectMongo({ uri, database, logger });

let lastBatch = 0;
const stored = new Map<number, () => void>();
process.on('message', (batch: number) => stored.get(batch)?.());
process.on('disconnect', () => process.exit(1));

const relay = createOutboxRelay({
  models: [openOutboxRows(connection)] as unknown as Model<unknown>[],
  service: 'probe',
  bus: {
    isEmbedded: false,
    publish(events) {
      const batch = ++lastBatch;
      return new Promise((resolve) => {
        stored.set(batch, resolve);
        process.send?.({ batch, events: events.map(({ id, key }) => ({ id, key })) });
      });
    },
    subscribe: async () => {},
    stop: async () => {},
  },
  hasCopies: true,
  logger,
  metrics: createMetrics(),
  now: () => new Date(),
});
relay.start();
