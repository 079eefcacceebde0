import type { Logger } from '../../logger.ts';
import {
  type DeadLetterRow,
  type EventAdmin,
  formatPlace,
  type LagRow,
  toDeadLetterRow,
} from '../event-admin.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { createDeadLetterLog, type LetterEntry } from './dead-letter-log.ts';
import type { Admin } from './kafka-client.ts';
import { createKafkaNames } from './kafka-names.ts';
import { createKafkaPublisher, type KafkaPublisher } from './kafka-publisher.ts';
import { withAdmin } from './kafka-topics.ts';
import { readTopic } from './read-topic.ts';

/** What operators see and change of the events on Kafka. */
export function createKafkaEventAdmin(options: KafkaOptions, logger: Logger): EventAdmin {
  const names = createKafkaNames(options.topicPrefix);

  async function listGroups(): Promise<string[]> {
    const topics = await withAdmin(options, logger, (admin) => admin.listTopics());
    const prefix = names.deadLetters('');
    return topics.filter((topic) => topic.startsWith(prefix)).map((topic) => topic.slice(prefix.length));
  }

  const logOf = (group: string, send: KafkaPublisher['send']) =>
    createDeadLetterLog({
      group,
      names,
      read: (onMessage) => readTopic(options, logger, names.deadLetters(group), onMessage),
      send,
    });

  const readOnly = () => Promise.reject(new Error('a list publishes nothing'));

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
    async listDeadLetters({ group: wanted, limit, after }) {
      const entries: LetterEntry[] = [];
      for (const group of wanted === null ? await listGroups() : [wanted])
        entries.push(...(await logOf(group, readOnly).list()));
      const places = entries
        .map((entry) => ({ entry, place: formatPlace(entry) }))
        .filter(({ place }) => after === null || place > after)
        .sort((left, right) => (left.place < right.place ? -1 : 1));
      const page = places.slice(0, limit);
      const rows = new Map<string, DeadLetterRow>();
      for (const group of new Set(page.map(({ entry }) => entry.group))) {
        const ofGroup = page.flatMap(({ entry }) => (entry.group === group ? entry : []));
        for (const letter of await logOf(group, readOnly).load(ofGroup))
          rows.set(`${group} ${letter.id}`, toDeadLetterRow({ ...letter, group }));
      }
      return {
        rows: page.flatMap(({ entry: { group, id } }) => rows.get(`${group} ${id}`) ?? []),
        total: entries.length,
        next: places.length > limit ? (page.at(-1)?.place ?? null) : null,
      };
    },
    async replayDeadLetters({ group: wanted, ids }) {
      const publisher = createKafkaPublisher(options, logger);
      try {
        await publisher.ready();
        let replayed = 0;
        for (const group of wanted === null ? await listGroups() : [wanted]) {
          const log = logOf(group, publisher.send);
          // Listed once: an event that fails again meanwhile is not replayed again.
          const entries = await log.list();
          replayed += await log.replay(entries.filter(({ id }) => ids === null || ids.includes(id)));
        }
        return replayed;
      } finally {
        await publisher.stop();
      }
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
