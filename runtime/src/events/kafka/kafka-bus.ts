import type { Connection } from 'mongoose';
import { sleep } from '../../concurrency/sleep.ts';
import { createSweep } from '../../jobs/sweep.ts';
import type { Logger } from '../../log/logger.ts';
import type { EventMetrics } from '../../metrics/event-metrics.ts';
import { PartState } from '../../process/status.ts';
import { type AppliedEvents, createAppliedEvents } from '../applied-events.ts';
import { type EventBus, type EventRecord, type EventSubscription, EventsRefusedError } from '../event-bus.ts';
import { createEventDelivery, defaultRetry, type RetryPolicy } from '../event-delivery.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { observeDelivery } from '../observe-delivery.ts';
import { shareBatchHandlers } from '../share-batch-handlers.ts';
import { toMessage } from './event-message.ts';
import type { KafkaMessage } from './kafka-client.ts';
import {
  type DeadLetter,
  toDeadLetter,
  toDeadLetterMessage,
  toUnreadableDeadLetter,
} from './kafka-dead-letters.ts';
import { createGroupConsumer, type GroupConsumer } from './kafka-group-consumer.ts';
import { createKafkaGroupStates } from './kafka-group-states.ts';
import { createKafkaNames } from './kafka-names.ts';
import { createKafkaPublisher, MessagesRefusedError } from './kafka-publisher.ts';
import { createKafkaTopics } from './kafka-topics.ts';

export type KafkaBusDeps = {
  options: KafkaOptions;
  /** To the database of the service: it stores which events were applied, once a group consumes some. */
  connection: Connection;
  logger: Logger;
  /** Absent in tests of the bus. */
  metrics?: EventMetrics;
  now: () => Date;
  retry?: Partial<RetryPolicy>;
};

/**
 * The event bus on Kafka. Connects in the background, so that a process starts and works without a broker; until then
 * `publish` rejects at once, and nothing is delivered.
 */
export function createKafkaBus({ options, connection, logger, metrics, now, retry }: KafkaBusDeps): EventBus {
  const names = createKafkaNames(options.topicPrefix);
  const topics = createKafkaTopics(options, logger);
  const publisher = createKafkaPublisher(options, logger);
  /** From the first subscription on: a service that only publishes has no such collection. */
  let applied: { events: AppliedEvents; sweep: ReturnType<typeof createSweep> } | null = null;
  const consumers: GroupConsumer[] = [];
  const groupStates = createKafkaGroupStates(options, logger);
  metrics?.eventGroups.add(options.clientId, () => groupStates.read(consumers));

  async function addDeadLetter(group: string, letter: DeadLetter): Promise<void> {
    await topics.ensureDeadLetters(group);
    await publisher.send([{ topic: names.deadLetters(group), message: toDeadLetterMessage(letter) }]);
  }

  function startApplied(): AppliedEvents {
    if (applied) return applied.events;
    const events = createAppliedEvents(connection);
    const sweep = createSweep({
      expiring: [
        {
          name: 'applied events',
          // Longer than the brokers keep an event.
          keptDays: options.retentionDays + 1,
          deleteBefore: events.deleteBefore,
        },
      ],
      logger,
      now,
      sleep,
    });
    sweep.start();
    applied = { events, sweep };
    return events;
  }

  function consume(subscription: EventSubscription): GroupConsumer {
    const { group, gathers, batchHandlers = new Map() } = subscription;
    const deadLetters = new WeakSet<EventRecord>();
    const observer = observeDelivery(metrics, subscription, now);
    const delivery = createEventDelivery({
      subscription: gathers
        ? { ...subscription, batchHandlers: shareBatchHandlers(batchHandlers) }
        : subscription,
      retry: { ...defaultRetry, ...retry },
      logger,
      addDeadLetter: async (_, failed) => {
        await addDeadLetter(group, toDeadLetter(failed, now()));
        deadLetters.add(failed.event);
      },
      observer,
    });
    return createGroupConsumer({
      options,
      subscription,
      delivery,
      isDeadLetter: (event) => deadLetters.has(event),
      addUnreadable: async (source, message: KafkaMessage) => {
        const letter = toUnreadableDeadLetter(source, message, now());
        await addDeadLetter(group, letter);
        observer.onDeadLetter(letter);
      },
      applied: startApplied(),
      repeatable: subscription.repeatable,
      topics,
      logger,
      now,
    });
  }

  return {
    isEmbedded: false,
    async publish(events) {
      if (events.length === 0) return;
      const problem = publisher.problem();
      // Before the topics are looked at: a relay that stops does not wait for a broker that is away.
      if (problem !== null) throw new Error('the event brokers cannot be reached', { cause: problem });
      await topics.ensure([...new Set(events.map(({ topic }) => topic))]);
      const messages = events.map((event) => ({
        topic: names.topic(event.topic),
        message: toMessage(event),
      }));
      await publisher.send(messages).catch((error: unknown) => {
        if (!(error instanceof MessagesRefusedError)) throw error;
        const isRefused = (_: EventRecord, index: number) =>
          error.messages.some((message) => message === messages[index]);
        throw new EventsRefusedError(events.filter(isRefused), error.cause);
      });
    },
    async subscribe(subscription) {
      if (consumers.some(({ group }) => group === subscription.group))
        throw new Error(`the group ${subscription.group} already consumes events here`);
      consumers.push(consume(subscription));
    },
    async stop() {
      await Promise.all([applied?.sweep.stop(), ...consumers.map((consumer) => consumer.stop())]);
      groupStates.stop();
      await publisher.stop();
    },
    async status() {
      const problem =
        publisher.problem() ?? consumers.map((one) => one.problem()).find((one) => one !== null);
      return {
        name: 'event bus',
        state: problem == null ? PartState.OK : PartState.DEGRADED,
        detail: problem == null ? 'Kafka answers' : `Kafka is not ready: ${describe(problem)}`,
        is_embedded: false,
      };
    },
  };
}

/** For operators: the public health page shows no details. */
function describe(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
