import { setMaxListeners } from 'node:events';
import { createBatches } from '../../concurrency/batches.ts';
import { sleep as wallClockSleep } from '../../concurrency/sleep.ts';
import { untilAborted } from '../../concurrency/until-aborted.ts';
import { withAnySignal } from '../../concurrency/with-any-signal.ts';
import { within } from '../../concurrency/within.ts';
import { groupBy } from '../../group-by.ts';
import type { Logger } from '../../log/logger.ts';
import type { EventSubscription } from '../event-bus.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { type ApplyMessagesDeps, applyMessages } from './apply-messages.ts';
import {
  type Consumer,
  createGroupMember,
  createKafkaClient,
  type EachBatchPayload,
  isRebalance,
  sessionTimeoutMs,
} from './kafka-client.ts';
import { createKafkaNames } from './kafka-names.ts';
import type { KafkaTopics } from './kafka-topics.ts';

/** Partitions whose events are handled at the same time. */
const concurrentPartitions = 4;
/** The same for a group that gathers: by default all partitions of a topic, so that all events of one fetch are handled together. */
const gatheredPartitions = 12;
/** Messages that are applied, marked and committed together. */
const batchSize = 200;
const heartbeatPollMs = 1000;
const connectWithinMs = 5000;
/** Running handlers finish and offsets are committed in this time, or later ones deliver these events again. */
const stopWithinMs = 2000;
const removeWithinMs = 5000;
const restartMs = 300;

export type GroupConsumer = {
  group: string;
  topics: readonly string[];
  /** Why no events arrive now; null when they do. */
  problem(): unknown;
  stop(): Promise<void>;
};

export type GroupConsumerDeps = Omit<ApplyMessagesDeps, 'group' | 'logger'> & {
  options: KafkaOptions;
  subscription: EventSubscription;
  topics: KafkaTopics;
  logger: Logger;
};

/**
 * Consumes the topics of a group. An offset is committed after the events before it are applied and marked as applied;
 * an event that arrives again is dropped. A consumer that gave up is replaced.
 */
export function createGroupConsumer(deps: GroupConsumerDeps): GroupConsumer {
  const { options, subscription, topics, logger, sleep = wallClockSleep } = deps;
  const { group, gathers = false } = subscription;
  const partitionsAtATime = gathers ? gatheredPartitions : concurrentPartitions;
  const names = createKafkaNames(options.topicPrefix);
  const stopping = new AbortController();
  // One of each partition that is handled.
  setMaxListeners(0, stopping.signal);
  let problem: unknown = new Error('not started yet');
  let isReported = false;
  let joining: Promise<void> = Promise.resolve();
  /** The own member of the group, from joining to leaving. */
  let memberId: string | null = null;
  const batches = new Set<Promise<void>>();
  /** One request for the partitions that are done at the same time. */
  const commit = createBatches<DoneUntil, void>({ maxItems: partitionsAtATime, run: commitTogether });
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
        // The next consumer may get the same events.
        await untilAborted(Promise.allSettled(batches), stopping.signal).catch(() => {});
        await sleep(restartMs, stopping.signal);
      }
    }
  }

  async function consumeUntilCrash(): Promise<void> {
    await topics.ensure(subscription.topics);
    await topics.ensureDeadLetters(group);
    const client = createKafkaClient(options, logger);
    const member = createGroupMember(client, names.group(group), subscription);
    const { consumer } = member;
    try {
      await within(connectWithinMs, 'connecting to the brokers', consumer.connect(), stopping.signal);
      if (memberId !== null)
        await within(removeWithinMs, 'leaving the group', member.remove(memberId), stopping.signal);
      memberId = null;
      await consumer.subscribe({ topics: subscription.topics.map(names.topic), fromBeginning: true });
      await runUntilCrash(consumer);
    } finally {
      if (stopping.signal.aborted)
        await within(stopWithinMs, 'leaving the group', leave(consumer)).catch(() => {});
      client.destroy();
    }
  }

  /** A consumer that is still joining would join after it was stopped, and its partitions would wait for its session. */
  async function leave(consumer: Consumer): Promise<void> {
    await joining;
    await consumer.disconnect();
  }

  /** Rejects when kafkajs gives up or the bus stops. */
  function runUntilCrash(consumer: Consumer): Promise<never> {
    let lastHeartbeatMs = performance.now();
    /** Why the batches of this assignment end early; undefined while it holds. */
    let interruption: unknown;
    const interrupt = (error: unknown) => {
      interruption ??= error;
    };
    const isExpired = () => performance.now() - lastHeartbeatMs > sessionTimeoutMs;
    consumer.on(consumer.events.HEARTBEAT, () => {
      lastHeartbeatMs = performance.now();
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      lastHeartbeatMs = performance.now();
      memberId = payload.memberId;
      interruption = undefined;
      problem = null;
      isReported = false;
      const partitions = Object.values(payload.memberAssignment).flat().length;
      logger.info({ group, partitions }, 'consumes events');
    });

    async function beat(payload: EachBatchPayload): Promise<void> {
      if (isExpired()) interrupt(new Error('the session of the group has expired'));
      // A rebalance waits for the running handlers of those that are heard of.
      if (interruption !== undefined && !isRebalance(interruption)) return;
      await payload.heartbeat().catch((error: unknown) => {
        if (isRebalance(error)) lastHeartbeatMs = performance.now();
        interrupt(error);
      });
    }

    async function onBatch(payload: EachBatchPayload): Promise<void> {
      const ended = new AbortController();
      const check = async () => {
        await beat(payload);
        if (interruption !== undefined) ended.abort(interruption);
      };
      const timer = setInterval(check, heartbeatPollMs);
      try {
        await check();
        await withAnySignal([ended.signal, stopping.signal], (signal) => handleBatch(payload, signal));
      } finally {
        clearInterval(timer);
      }
      // kafkajs joins the group again.
      if (ended.signal.aborted) throw ended.signal.reason;
    }

    function trackBatch(payload: EachBatchPayload): Promise<void> {
      const batch = onBatch(payload).finally(() => batches.delete(batch));
      batches.add(batch);
      return batch;
    }

    const crashed = new Promise<never>((_, reject) => {
      const giveUp = (error: unknown) => {
        interrupt(error);
        reject(error);
      };
      consumer.on(consumer.events.CRASH, ({ payload }) => giveUp(payload.error));
      // kafkajs would ask the same broker again, five times, before it looks for the group's new coordinator.
      consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload: { apiName } }) => {
        if (apiName === 'Heartbeat') giveUp(new Error('the coordinator of the group does not answer'));
      });
      joining = consumer
        .run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: partitionsAtATime,
          eachBatch: trackBatch,
        })
        .catch(reject);
    });
    return untilAborted(crashed, stopping.signal);
  }

  async function handleBatch(payload: EachBatchPayload, signal: AbortSignal): Promise<void> {
    const { topic, partition, messages } = payload.batch;
    for (let start = 0; start < messages.length; start += batchSize) {
      if (signal.aborted || !payload.isRunning() || payload.isStale()) return;
      const chunk = messages.slice(start, start + batchSize);
      const source = { topic: names.fromTopic(topic) ?? topic, partition };
      const handled = await applyMessages({ ...deps, group }, chunk, source, signal);
      const last = chunk[handled - 1];
      if (!last) return;
      payload.resolveOffset(last.offset);
      await commit({ payload, offset: String(BigInt(last.offset) + 1n) });
      if (handled < chunk.length) return;
    }
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

/** The first message of a partition that is not done. */
type DoneUntil = { payload: EachBatchPayload; offset: string };

async function commitTogether(done: readonly DoneUntil[]): Promise<void[]> {
  const topics = [...groupBy(done, ({ payload }) => payload.batch.topic)].map(([topic, ofTopic]) => ({
    topic,
    partitions: ofTopic.map(({ payload, offset }) => ({ partition: payload.batch.partition, offset })),
  }));
  // Any of the payloads will do: all belong to one member of the group.
  await done[0]?.payload.commitOffsetsIfNecessary({ topics });
  return done.map(() => undefined);
}
