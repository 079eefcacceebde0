import { type Sleep, sleep as wallClockSleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventAdmin } from '@shelfwise/runtime/events/event-admin';
import type {
  EventBus,
  EventRecord,
  EventSubscription,
  GroupState,
} from '@shelfwise/runtime/events/event-bus';
import { defaultRetry, type RetryPolicy } from '@shelfwise/runtime/events/event-delivery';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { EventMetrics } from '@shelfwise/runtime/metrics/event-metrics';
import type { Connection } from 'mongoose';
import { deleteHandledEvents } from './delete-handled-events.ts';
import { createEmbeddedEventAdmin } from './embedded-event-admin.ts';
import { createEventConsumer, type EventConsumer } from './event-consumer.ts';
import { createEventLog, type EventLog } from './event-log.ts';

type BusLogger = Pick<Logger, 'info' | 'warn' | 'error'>;

export type EmbeddedBusOptions = {
  /** A connection to the embedded database. The bus stores its collections (`bus_*`) in the connection's database. */
  connection: Connection;
  /** Receives failures of handlers and of the event log. The bus is silent without it. */
  logger?: BusLogger;
  /** Absent in tests of the bus. */
  metrics?: EventMetrics;
  /** How long events are stored that a group has not handled. Default: 7 days. */
  retentionDays?: number;
  /** For tests. The default is the system clock. */
  now?: () => Date;
  sleep?: Sleep;
  retry?: Partial<RetryPolicy>;
};

/** For metrics: counting goes through an index entry by entry. */
const mostCounted = 10_000;

const silentLogger: BusLogger = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * The event bus of a single process, stored in the embedded database. `publish` resolves once the events are on disk.
 * Each group receives every event at least once, in order per key. An event is deleted once all groups of its topic
 * have handled it, an hour after it was stored at the earliest; after `retentionDays` in any case.
 */
export async function createEmbeddedBus({
  connection,
  retentionDays = 7,
  logger = silentLogger,
  metrics,
  now = () => new Date(),
  sleep = wallClockSleep,
  retry: retryPolicy,
}: EmbeddedBusOptions): Promise<EventBus & { admin: EventAdmin }> {
  const log = await createEventLog({ connection, now });
  const consumers: EventConsumer[] = [];
  const commitAll = () => Promise.all(consumers.map((consumer) => consumer.commit()));
  metrics?.eventGroups.add('embedded', () => readGroupStates(log, consumers));
  const sweep = createSweep({
    expiring: [{ name: 'events', keptDays: retentionDays, deleteBefore: log.deleteBefore }],
    logger,
    now,
    sleep,
  });
  sweep.start();
  const deletion = deleteHandledEvents({ log, logger, now, sleep });

  return {
    isEmbedded: true,
    publish: async (events: readonly EventRecord[]) => {
      if (events.length === 0) return;
      await log.append(events);
      for (const consumer of consumers) consumer.wake();
    },
    subscribe: async (subscription: EventSubscription) => {
      await log.register(subscription.group, subscription.topics);
      refuseOverlap(consumers, subscription);
      const retry = { ...defaultRetry, ...retryPolicy };
      consumers.push(
        createEventConsumer({ log, subscription, commitAll, logger, metrics, now, sleep, retry }),
      );
    },
    admin: createEmbeddedEventAdmin(log, consumers),
    stop: async () => {
      await Promise.all([sweep.stop(), deletion.stop(), ...consumers.map((consumer) => consumer.stop())]);
    },
  };
}

/** What the groups that consume in this process have left to do. */
async function readGroupStates(log: EventLog, consumers: readonly EventConsumer[]): Promise<GroupState[]> {
  await Promise.all(consumers.map((consumer) => consumer.commit()));
  const groups = new Set(consumers.map(({ group }) => group));
  return Promise.all(
    [...groups].map(async (group) => {
      const topics = consumers.flatMap((one) => (one.group === group ? one.topics : []));
      return {
        group,
        lags: await log.readGroupLag(group, topics, mostCounted),
        members: null,
        deadLetters: await log.countDeadLetters(group, mostCounted),
      };
    }),
  );
}

/**
 * Throws if the group already consumes one of the topics. The consumers of this bus do not divide a topic among
 * themselves: both would handle each of its events.
 */
function refuseOverlap(consumers: readonly EventConsumer[], { group, topics }: EventSubscription): void {
  const consumed = consumers
    .filter((consumer) => consumer.group === group)
    .flatMap((consumer) => consumer.topics);
  const topic = topics.find((name) => consumed.includes(name));
  if (topic !== undefined) throw new Error(`the group ${group} already consumes ${topic}`);
}
