import type { Connection } from 'mongoose';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { EventAdmin } from './event-admin.ts';
import type { EventBus } from './event-bus.ts';
import { type KafkaSettings, readKafkaOptions } from './kafka-settings.ts';

/**
 * The bus of one service on the brokers of the settings; null without KAFKA_BROKERS. The Kafka client is loaded only
 * when it is needed.
 * @throws ConfigError
 */
export async function openEventBus(
  settings: KafkaSettings,
  deps: {
    /** The service, for the brokers' logs. */
    clientId: string;
    /** To the service's own database. */
    connection: Connection;
    logger: Logger;
    metrics: Metrics;
    now: () => Date;
  },
): Promise<EventBus | null> {
  const options = readKafkaOptions(settings, deps.clientId);
  if (!options) return null;
  const { createKafkaBus } = await import('./kafka/kafka-bus.ts');
  return createKafkaBus({ options, ...deps });
}

/** What operators see and change of the events on the brokers of the settings; null without KAFKA_BROKERS. */
export async function openEventAdmin(settings: KafkaSettings, logger: Logger): Promise<EventAdmin | null> {
  const options = readKafkaOptions(settings, 'events-command');
  if (!options) return null;
  const { createKafkaEventAdmin } = await import('./kafka/kafka-event-admin.ts');
  return createKafkaEventAdmin(options, logger);
}
