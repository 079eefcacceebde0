import { randomUUID } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { describeWithEngine } from '../../testing/engines.ts';
import { describeEventBus } from '../../testing/event-bus-contract.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import type { EventBus } from '../src/events/event-bus.ts';
import { createKafkaBus } from '../src/events/kafka/kafka-bus.ts';
import { withAdmin } from '../src/events/kafka/kafka-topics.ts';
import type { KafkaOptions } from '../src/events/kafka-settings.ts';
import { createRecordingLogger } from './recording-logger.ts';

const databaseUri = useDatabaseServer();

describeWithEngine('KAFKA_BROKERS', 'the event bus on Kafka', (brokers) => {
  const { logger } = createRecordingLogger();
  let connection: Connection;
  let options: KafkaOptions;
  let buses: EventBus[] = [];

  beforeEach(async () => {
    const name = `test-${randomUUID()}`;
    connection = await mongoose.createConnection(databaseUri(), { dbName: name }).asPromise();
    options = {
      brokers: brokers.split(','),
      clientId: 'test',
      tls: null,
      sasl: null,
      topicPrefix: `${name}.`,
      partitions: 3,
      replication: 1,
      retentionDays: 1,
    };
  });
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    buses = [];
    await connection.dropDatabase();
    await connection.close();
    await withAdmin(options, logger, async (admin) => {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(options.topicPrefix));
      if (topics.length > 0) await admin.deleteTopics({ topics });
    });
  });

  async function startBus(): Promise<EventBus> {
    const retry = { retries: 2, firstDelayMs: 1, maxDelayMs: 2 };
    const bus = createKafkaBus({ options, connection, logger, now: () => new Date(), retry });
    buses.push(bus);
    while ((await bus.status?.())?.state !== 'OK') await new Promise((resolve) => setTimeout(resolve, 10));
    return bus;
  }

  describeEventBus(startBus);
});
