import { createEmbeddedBus } from '@shelfwise/embedded/bus/embedded-bus';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { type KafkaSettings, topicPrefix } from '@shelfwise/runtime/events/kafka-settings';
import { openEventBus } from '@shelfwise/runtime/events/open-event-bus';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Run } from '@shelfwise/runtime/process/run';
import type { AllInOneSettings } from '../config.ts';
import type { Databases } from './open-databases.ts';

/** The bus of each service with events. */
export type Buses = { tracking: EventBus; scoring: EventBus };

/**
 * The embedded event bus, or one on the brokers of KAFKA_BROKERS for each service, because it stores which events the
 * service has applied in the service's database. Events of sample and live data have separate topics.
 */
export async function openBuses(deps: {
  settings: AllInOneSettings;
  databases: Databases;
  run: Run;
  logger: Logger;
  now: () => Date;
}): Promise<Buses> {
  const { settings, databases, run, logger, now } = deps;
  if (databases.events) {
    const bus = await createEmbeddedBus({
      connection: databases.events,
      retentionDays: settings.EVENT_RETENTION_DAYS,
      logger,
      now,
    });
    run.onStop('event bus', () => bus.stop());
    return { tracking: bus, scoring: bus };
  }
  const open = async (name: 'tracking' | 'scoring') => {
    const options = { clientId: name, connection: databases[name], logger, now };
    const bus = await openEventBus({ ...settings, KAFKA_TOPIC_PREFIX: topicPrefixOf(settings) }, options);
    if (!bus) throw new Error('KAFKA_BROKERS is not set');
    run.onStop(`event bus of ${name}`, () => bus.stop());
    return bus;
  };
  return { tracking: await open('tracking'), scoring: await open('scoring') };
}

/** Live data has the plain prefix, as it has the plain names of databases. */
export function topicPrefixOf(settings: KafkaSettings & Pick<AllInOneSettings, 'STORE_SOURCE'>): string {
  return topicPrefix(settings) + (settings.STORE_SOURCE === 'sample' ? 'sample.' : '');
}
