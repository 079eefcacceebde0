import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../concurrency/within.ts';
import type { Logger } from '../../log/logger.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { findDifferences, retention, type WantedTopic } from './compare-topics.ts';
import { type Admin, createKafkaClient } from './kafka-client.ts';
import { createKafkaNames } from './kafka-names.ts';

const limitMs = 5000;
const dayMs = 24 * 3_600_000;
/** Several times the largest event (`maxEventBytes`), whatever the default of the brokers is. */
const maxMessageBytes = 4 * 1024 * 1024;
const mostReplicas = 3;

/** Errors of Kafka about a topic that was created a moment ago. */
const tooEarly: ReadonlySet<string> = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);

type Topic = Omit<WantedTopic, 'replicas'>;

export type KafkaTopics = {
  /** Creates the topics that do not exist. Existing ones stay as they are; the log names what differs, once. */
  ensure(topics: readonly string[]): Promise<void>;
  /** The same for the dead letters of a group. */
  ensureDeadLetters(group: string): Promise<void>;
};

export function createKafkaTopics(options: KafkaOptions, logger: Logger): KafkaTopics {
  const names = createKafkaNames(options.topicPrefix);
  const known = new Set<string>();

  async function ensureAll(topics: readonly Topic[]): Promise<void> {
    const unknown = topics.filter(({ name }) => !known.has(name));
    if (unknown.length === 0) return;
    await withAdmin(options, logger, async (admin) => {
      const existing = new Set(await admin.listTopics());
      const missing = unknown.filter(({ name }) => !existing.has(name));
      if (missing.length > 0) await create(admin, missing);
      await warnOfDifferences(
        admin,
        unknown.filter(({ name }) => existing.has(name)),
      );
    });
    for (const { name } of unknown) known.add(name);
  }

  async function create(admin: Admin, topics: readonly Topic[]): Promise<void> {
    const { brokers } = await admin.describeCluster();
    const replicas = options.replication ?? Math.min(mostReplicas, brokers.length);
    // With three replicas one may be away: events stay safe on two.
    const inSync = String(Math.max(1, replicas - 1));
    await createAndAwait(
      admin,
      topics.map(({ name, partitions, config }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor: replicas,
        configEntries: Object.entries({ ...config, 'min.insync.replicas': inSync }).map(([key, value]) => ({
          name: key,
          value,
        })),
      })),
    );
    logger.info({ topics: topics.map(({ name }) => name), replicas }, 'topics created');
  }

  async function warnOfDifferences(admin: Admin, existing: readonly Topic[]): Promise<void> {
    const wanted = existing.map((topic) => ({ ...topic, replicas: options.replication }));
    for (const { topic, actual, configured } of await findDifferences(admin, wanted))
      logger.warn(
        { topic, actual, configured },
        'an existing topic differs from the settings; it stays as it is',
      );
  }

  return {
    ensure: (topics) =>
      ensureAll(
        topics.map((topic) => ({
          name: names.topic(topic),
          partitions: options.partitions,
          config: {
            'cleanup.policy': 'delete',
            [retention]: String(options.retentionDays * dayMs),
            'max.message.bytes': String(maxMessageBytes),
          },
        })),
      ),
    // Compacted: a dead letter is kept until it is replayed, however long that takes.
    ensureDeadLetters: (group) =>
      ensureAll([
        {
          name: names.deadLetters(group),
          partitions: 1,
          config: { 'cleanup.policy': 'compact', 'max.message.bytes': String(2 * maxMessageBytes) },
        },
      ]),
  };
}

/** Creates topics, and resolves when the brokers know their leaders. */
export async function createAndAwait(
  admin: Pick<Admin, 'createTopics' | 'fetchTopicMetadata'>,
  topics: Parameters<Admin['createTopics']>[0]['topics'],
): Promise<void> {
  await admin.createTopics({ topics, timeout: limitMs / 2, waitForLeaders: false });
  while (!(await areKnown(admin, topics))) await sleep(100);
}

/** A broker hears of a new topic, and of its leaders, a moment after the controller has created it. */
async function areKnown(
  admin: Pick<Admin, 'fetchTopicMetadata'>,
  topics: readonly { topic: string }[],
): Promise<boolean> {
  try {
    await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) });
    return true;
  } catch (error) {
    const { type, cause } = error as { type?: string; cause?: { type?: string } };
    if (tooEarly.has(type ?? cause?.type ?? '')) return false;
    throw error;
  }
}

/** Runs administrative calls on a connection of their own. */
export async function withAdmin<Result>(
  options: KafkaOptions,
  logger: Logger,
  work: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const client = createKafkaClient(options, logger);
  const admin = client.kafka.admin();
  try {
    return await within(
      limitMs,
      'a request to the brokers',
      admin.connect().then(() => work(admin)),
    );
  } finally {
    void admin.disconnect().catch(() => {});
    client.destroy();
  }
}
