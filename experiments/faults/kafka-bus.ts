import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createKafkaBus } from '@shelfwise/runtime/events/kafka/kafka-bus';
import { createLogger } from '@shelfwise/runtime/log/logger';
import type { Connection } from 'mongoose';

/** The event bus of a system on Kafka, for an experiment next to it. @param options.prefix MONGODB_PREFIX of the system */
export function openKafkaBus(
  name: string,
  options: { brokers: string; prefix: string; connection: Connection },
): EventBus {
  return createKafkaBus({
    options: {
      brokers: options.brokers.split(','),
      clientId: name,
      tls: null,
      sasl: null,
      topicPrefix: `${options.prefix}shelfwise.`,
      partitions: 12,
      replication: undefined,
      retentionDays: 1,
    },
    connection: options.connection,
    logger: createLogger({ name, level: 'silent', destination: process.stderr }),
    now: () => new Date(),
  });
}
