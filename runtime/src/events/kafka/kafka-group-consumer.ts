import { type Sleep, sleep as wallClockSleep } from '../../jobs/sleep.ts';
import type { Logger } from '../../logger.ts';
import type { AppliedEvents } from '../applied-events.ts';
import type { EventRecord, EventSubscription } from '../event-bus.ts';
import type { EventDelivery } from '../event-delivery.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { fromMessage, isForGroup } from './event-message.ts';
import {
  type Consumer,
  createConsumer,
  createKafkaClient,
  type EachBatchPayload,
  type KafkaMessage,
  sessionTimeoutMs,
} from './kafka-client.ts';
import { createKafkaNames } from './kafka-names.ts';
import type { KafkaTopics } from './kafka-topics.ts';
import { within } from './within.ts';

/** Partitions whose events are handled at the same time. */
const concurrentPartitions = 4;
/** Messages that are applied, marked and committed together. */
const batchSize = 200;
const heartbeatPollMs = 1000;
const connectWithinMs = 5000;
/** Running handlers finish and offsets are committed in this time, or later ones deliver these events again. */
const stopWithinMs = 2000;
const restartMs = 1000;
const retryMs = 1000;

export type GroupConsumer = {
  group: string;
  topics: readonly string[];
  /** Why no events arrive now; null when they do. */
  problem(): unknown;
  stop(): Promise<void>;
};

export type GroupConsumerDeps = {
  options: KafkaOptions;
  subscription: EventSubscription;
  delivery: EventDelivery;
  /** Whether the event became a dead letter: it was not applied. */
  isDeadLetter(event: EventRecord): boolean;
  /** Stores a message that is no event as a dead letter. */
  addUnreadable(place: { topic: string; partition: number }, message: KafkaMessage): Promise<void>;
  applied: AppliedEvents;
  topics: KafkaTopics;
  logger: Logger;
  now: () => Date;
  sleep?: Sleep;
};

/**
 * Consumes the topics of a group. An offset is committed after the events before it are applied and marked as applied;
 * an event that arrives again is dropped. A consumer that gave up is replaced.
 */
export function createGroupConsumer(deps: GroupConsumerDeps): GroupConsumer {
  const { options, subscription, delivery, applied, topics, logger, now, sleep = wallClockSleep } = deps;
  const { group } = subscription;
  const names = createKafkaNames(options.topicPrefix);
  const stopping = new AbortController();
  let problem: unknown = new Error('not started yet');
  let isReported = false;
  let joining: Promise<void> = Promise.resolve();
  const loopEnd = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await consumeUntilCrash();
      } catch (error) {
        if (stopping.signal.aborted) return;
        problem = error;
        // Once per outage: an attempt every second or two would fill the log. The health page has the latest reason.
        if (!isReported) logger.warn({ err: error, group }, 'consuming events failed; starting again');
        isReported = true;
        await sleep(restartMs, stopping.signal);
      }
    }
  }

  async function consumeUntilCrash(): Promise<void> {
    await topics.ensure(subscription.topics);
    await topics.ensureDeadLetters(group);
    const client = createKafkaClient(options, logger);
    const consumer = createConsumer(client, names.group(group));
    try {
      await within(connectWithinMs, 'connecting to the brokers', consumer.connect(), stopping.signal);
      await consumer.subscribe({ topics: subscription.topics.map(names.topic), fromBeginning: true });
      await runUntilCrash(consumer);
    } finally {
      await within(stopWithinMs, 'leaving the group', leave(consumer)).catch(() => {});
      client.destroy();
    }
  }

  /** A consumer that is still joining would join after it was stopped, and its partitions would wait for its session. */
  async function leave(consumer: Consumer): Promise<void> {
    await joining;
    await consumer.disconnect();
  }

  /** Resolves when the bus stops, rejects when kafkajs gives up. */
  function runUntilCrash(consumer: Consumer): Promise<void> {
    let lastHeartbeatMs = performance.now();
    /** Why the batches of this assignment end early; undefined while it holds. */
    let interruption: unknown;
    const isExpired = () => performance.now() - lastHeartbeatMs > sessionTimeoutMs;
    consumer.on(consumer.events.HEARTBEAT, () => {
      lastHeartbeatMs = performance.now();
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      lastHeartbeatMs = performance.now();
      interruption = undefined;
      problem = null;
      isReported = false;
      const partitions = Object.values(payload.memberAssignment).flat().length;
      logger.info({ group, partitions }, 'consumes events');
    });

    async function onBatch(payload: EachBatchPayload): Promise<void> {
      const ended = new AbortController();
      const end = (error: unknown) => {
        interruption ??= error;
        ended.abort(error);
      };
      const beat = async () => {
        if (interruption === undefined && isExpired()) end(new Error('the session of the group has expired'));
        if (interruption !== undefined) return end(interruption);
        await payload.heartbeat().catch(end);
      };
      const timer = setInterval(beat, heartbeatPollMs);
      try {
        await beat();
        await handleBatch(payload, AbortSignal.any([ended.signal, stopping.signal]));
      } finally {
        clearInterval(timer);
      }
      // kafkajs joins the group again.
      if (ended.signal.aborted) throw ended.signal.reason;
    }

    return new Promise((resolve, reject) => {
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
      if (stopping.signal.aborted) resolve();
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      joining = consumer
        .run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: concurrentPartitions,
          eachBatch: onBatch,
        })
        .catch(reject);
    });
  }

  async function handleBatch(payload: EachBatchPayload, signal: AbortSignal): Promise<void> {
    const { topic, partition, messages } = payload.batch;
    for (let start = 0; start < messages.length; start += batchSize) {
      if (signal.aborted || !payload.isRunning() || payload.isStale()) return;
      const chunk = messages.slice(start, start + batchSize);
      const handled = await handleMessages(chunk, { topic, partition }, signal);
      const last = chunk[handled - 1];
      if (!last) return;
      payload.resolveOffset(last.offset);
      const offset = String(BigInt(last.offset) + 1n);
      await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] });
      if (handled < chunk.length) return;
    }
  }

  /** Returns how many messages from the first one on are done. */
  async function handleMessages(
    messages: readonly KafkaMessage[],
    place: { topic: string; partition: number },
    signal: AbortSignal,
  ): Promise<number> {
    const topic = names.fromTopic(place.topic) ?? place.topic;
    const events = new Map<string, EventRecord>();
    const eventOf = new Map<KafkaMessage, EventRecord>();
    for (const message of messages.filter((one) => isForGroup(one, group))) {
      const event = fromMessage(topic, message);
      if (!event) {
        const stored = await retry(signal, () => deps.addUnreadable({ ...place, topic }, message));
        if (!stored) return messages.indexOf(message);
      } else if (!events.has(event.id)) {
        events.set(event.id, event);
        eventOf.set(message, event);
      }
    }
    const known = await retry(signal, () => applied.find(group, [...events.keys()]));
    if (!known) return 0;
    const fresh = [...events.values()].filter(({ id }) => !known.result.has(id));
    const unhandled = await delivery.deliver(fresh, signal);
    const handled = fresh.filter((event) => !unhandled.has(event) && !deps.isDeadLetter(event));
    // Also after the signal: what was applied is not applied again by the next owner of the partition.
    if (handled.length > 0)
      await applied.add(
        group,
        handled.map(({ id }) => id),
        now(),
      );
    const firstUnhandled = messages.findIndex((message) => {
      const event = eventOf.get(message);
      return event !== undefined && unhandled.has(event);
    });
    return firstUnhandled === -1 ? messages.length : firstUnhandled;
  }

  /** Until it succeeds; null if the signal fired before. */
  async function retry<Result>(
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<{ result: Result } | null> {
    while (!signal.aborted) {
      try {
        return { result: await work() };
      } catch (error) {
        logger.warn({ err: error, group }, 'handling events failed; retrying');
        await sleep(retryMs, signal);
      }
    }
    return null;
  }

  return {
    group,
    topics: subscription.topics,
    problem: () => problem,
    async stop() {
      stopping.abort();
      await loopEnd;
    },
  };
}
