import { createEmbeddedBus } from '@shelfwise/embedded/bus/embedded-bus';
import type { EventAdmin } from '@shelfwise/runtime/events/event-admin';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { type KafkaSettings, topicPrefix } from '@shelfwise/runtime/events/kafka-settings';
import { openEventAdmin, openEventBus } from '@shelfwise/runtime/events/open-event-bus';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import type { Run } from '@shelfwise/runtime/process/run';
import type { AllInOneSettings } from '../config.ts';
import type { Databases } from './open-databases.ts';

/** The bus of each service with events, and what operators do with its engine. */
export type Buses = {
  tracking: EventBus;
  scoring: EventBus;
  chart: EventBus;
  notify: EventBus;
  /** Undefined with the sample, which is never away. */
  storeFetch: EventBus | undefined;
  admin: EventAdmin;
};

/**
 * The embedded event bus, or one on the brokers of KAFKA_BROKERS for each service, because it stores which events the
 * service has applied in the service's database. Events of sample and live data have separate topics.
 */
export async function openBuses(deps: {
  settings: AllInOneSettings;
  databases: Databases;
  run: Run;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
}): Promise<Buses> {
  const { settings, databases, run, logger, metrics, now } = deps;
  const isLive = settings.STORE_SOURCE === 'live';
  if (databases.events) {
    const bus = await createEmbeddedBus({
      connection: databases.events,
      retentionDays: settings.EVENT_RETENTION_DAYS,
      logger,
      metrics,
      now,
    });
    run.onStop('event bus', () => bus.stop());
    return {
      tracking: bus,
      scoring: bus,
      chart: bus,
      notify: bus,
      storeFetch: isLive ? bus : undefined,
      admin: bus.admin,
    };
  }
  const kafka = { ...settings, KAFKA_TOPIC_PREFIX: topicPrefixOf(settings) };
  const open = async (name: 'tracking' | 'scoring' | 'chart' | 'notify' | 'storeFetch') => {
    const options = {
      clientId: name === 'storeFetch' ? 'store-fetch' : name,
      connection: databases[name],
      logger,
      metrics,
      now,
    };
    const bus = await openEventBus(kafka, options);
    if (!bus) throw new Error('KAFKA_BROKERS is not set');
    return bus;
  };
  const admin = await openEventAdmin(kafka, logger);
  if (!admin) throw new Error('KAFKA_BROKERS is not set');
  const buses = {
    tracking: await open('tracking'),
    scoring: await open('scoring'),
    chart: await open('chart'),
    notify: await open('notify'),
    storeFetch: isLive ? await open('storeFetch') : undefined,
  };
  run.onStop('event buses', () => Promise.all(Object.values(buses).map((bus) => bus?.stop())));
  return { ...buses, admin };
}

/** Live data has the plain prefix, as it has the plain names of databases. */
function topicPrefixOf(settings: KafkaSettings & Pick<AllInOneSettings, 'STORE_SOURCE'>): string {
  return topicPrefix(settings) + (settings.STORE_SOURCE === 'sample' ? 'sample.' : '');
}
