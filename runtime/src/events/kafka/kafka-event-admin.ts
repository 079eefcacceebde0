import type { Logger } from '../../logger.ts';
import type { DeadLetterRow, EventAdmin, LagRow } from '../event-admin.ts';
import type { EventRecord } from '../event-bus.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { toMessage } from './event-message.ts';
import type { Admin } from './kafka-client.ts';
import { type DeadLetter, fromDeadLetterMessage } from './kafka-dead-letters.ts';
import { createKafkaNames } from './kafka-names.ts';
import { createKafkaPublisher } from './kafka-publisher.ts';
import { withAdmin } from './kafka-topics.ts';
import { readTopic } from './read-topic.ts';

/** The most dead letters in memory with their payloads. */
const lettersPerPass = 1000;

/** What operators see and change of the events on Kafka. */
export function createKafkaEventAdmin(options: KafkaOptions, logger: Logger): EventAdmin {
  const names = createKafkaNames(options.topicPrefix);

  async function listGroups(): Promise<string[]> {
    const topics = await withAdmin(options, logger, (admin) => admin.listTopics());
    const prefix = names.deadLetters('');
    return topics.filter((topic) => topic.startsWith(prefix)).map((topic) => topic.slice(prefix.length));
  }

  /** The first letters of a group in the order of their failures, and the ids of all. */
  async function readLetters(group: string, isWanted: (id: string) => boolean) {
    const letters = new Map<string, DeadLetter | null>();
    await readTopic(options, logger, names.deadLetters(group), (message) => {
      const letter = fromDeadLetterMessage(message);
      const id = message.key?.toString() ?? '';
      if (!letter) letters.delete(id);
      else if (isWanted(id))
        letters.set(id, letters.size < lettersPerPass || letters.get(id) ? letter : null);
    });
    return letters;
  }

  async function replayGroup(group: string, isWanted: (id: string) => boolean): Promise<number> {
    const publisher = createKafkaPublisher(options, logger);
    const done = new Set<string>();
    try {
      await publisher.ready();
      for (;;) {
        // One that fails again meanwhile is not replayed again.
        const found = await readLetters(group, (id) => isWanted(id) && !done.has(id));
        const letters = [...found.values()].flatMap((letter) => letter ?? []);
        if (letters.length === 0) return done.size;
        await publisher.send(
          letters.map((letter) => ({
            topic: names.topic(letter.topic),
            message: toMessage(toEvent(letter), group),
          })),
        );
        await publisher.send(
          letters.map(({ id }) => ({ topic: names.deadLetters(group), message: { key: id, value: null } })),
        );
        for (const { id } of letters) done.add(id);
      }
    } finally {
      await publisher.stop();
    }
  }

  async function readGroupLag(admin: Admin, group: string, members: number): Promise<LagRow[]> {
    const committed = await admin.fetchOffsets({ groupId: names.group(group) });
    return Promise.all(
      committed.map(async ({ topic, partitions }) => {
        const ends = await admin.fetchTopicOffsets(topic);
        const lag = ends.reduce((sum, { partition, high, low }) => {
          const offset = Number(partitions.find((one) => one.partition === partition)?.offset ?? -1);
          return sum + Math.max(0, Number(high) - Math.max(offset, Number(low)));
        }, 0);
        return { group, topic: names.fromTopic(topic) ?? topic, lag, members };
      }),
    );
  }

  return {
    async listDeadLetters(wanted, limit) {
      const rows: DeadLetterRow[] = [];
      let total = 0;
      for (const group of wanted === null ? await listGroups() : [wanted]) {
        const letters = await readLetters(group, () => true);
        total += letters.size;
        for (const letter of letters.values())
          if (letter && rows.length < limit) rows.push(toRow(group, letter));
      }
      return { rows, total };
    },
    async replayDeadLetters({ group: wanted, ids }) {
      const isWanted = (id: string) => ids === null || ids.includes(id);
      let replayed = 0;
      for (const group of wanted === null ? await listGroups() : [wanted])
        replayed += await replayGroup(group, isWanted);
      return replayed;
    },
    async readLag() {
      const groups = await listGroups();
      return withAdmin(options, logger, async (admin) => {
        const { groups: described } = await admin.describeGroups(groups.map(names.group));
        const rows = await Promise.all(
          groups.map((group) => {
            const members =
              described.find(({ groupId }) => groupId === names.group(group))?.members.length ?? 0;
            return readGroupLag(admin, group, members);
          }),
        );
        return rows.flat();
      });
    },
  };
}

function toEvent({ id, topic, key, payload, at, failedAt, requestId }: DeadLetter): EventRecord {
  const event: EventRecord = { id, topic, key, payload, at: at ?? failedAt };
  if (requestId !== null) event.requestId = requestId;
  return event;
}

function toRow(group: string, { id, topic, key, error, attempts, failedAt }: DeadLetter): DeadLetterRow {
  const [firstLine = ''] = error.split('\n');
  return { group, id, topic, key, error: firstLine, attempts, failed_at: failedAt.toISOString() };
}
