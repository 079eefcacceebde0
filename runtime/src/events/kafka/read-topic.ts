import { randomUUID } from 'node:crypto';
import { within } from '../../concurrency/within.ts';
import type { Logger } from '../../log/logger.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { createGroupMember, createKafkaClient, type KafkaMessage } from './kafka-client.ts';
import { createKafkaNames } from './kafka-names.ts';
import { withAdmin } from './kafka-topics.ts';

const readWithinMs = 120_000;

/** Reads every message that a topic of one partition holds now, in order. kafkajs reads only as a member of a group. */
export async function readTopic(
  options: KafkaOptions,
  logger: Logger,
  name: string,
  onMessage: (message: KafkaMessage) => void,
): Promise<void> {
  const end = await withAdmin(options, logger, async (admin) => {
    const [partition] = await admin.fetchTopicOffsets(name);
    return partition && partition.low !== partition.high ? BigInt(partition.high) : 0n;
  });
  if (end === 0n) return;
  const groupId = createKafkaNames(options.topicPrefix).group(`reader-${randomUUID()}`);
  const client = createKafkaClient(options, logger);
  const { consumer } = createGroupMember(client, groupId);
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [name], fromBeginning: true });
    const read = new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      consumer
        .run({
          autoCommit: false,
          eachBatch: async ({ batch }) => {
            for (const message of batch.messages) if (BigInt(message.offset) < end) onMessage(message);
            if (BigInt(batch.lastOffset()) + 1n >= end) resolve();
          },
        })
        .catch(reject);
    });
    await within(readWithinMs, `reading ${name}`, read);
  } finally {
    await within(5000, 'disconnecting', consumer.disconnect()).catch(() => {});
    client.destroy();
    await withAdmin(options, logger, (admin) => admin.deleteGroups([groupId])).catch(() => {});
  }
}
