import type { Logger } from '../../log/logger.ts';
import {
  type DeadLetterRow,
  type DeadLetterSelection,
  type EventAdmin,
  formatCursor,
  toDeadLetterRow,
} from '../event-admin.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { createDeadLetterLog, type LetterEntry } from './dead-letter-log.ts';
import { createKafkaNames } from './kafka-names.ts';
import { createKafkaPublisher, type KafkaPublisher } from './kafka-publisher.ts';
import { withAdmin } from './kafka-topics.ts';
import { listGroups, readGroupLags } from './read-group-lags.ts';
import { readTopic } from './read-topic.ts';

/** What operators see and change of the events on Kafka. */
export function createKafkaEventAdmin(options: KafkaOptions, logger: Logger): EventAdmin {
  const names = createKafkaNames(options.topicPrefix);

  const listAllGroups = () => withAdmin(options, logger, (admin) => listGroups(admin, names));

  const logOf = (group: string, send: KafkaPublisher['send']) =>
    createDeadLetterLog({
      group,
      names,
      read: (onMessage) => readTopic(options, logger, names.deadLetters(group), onMessage),
      send,
    });

  const readOnly = () => Promise.reject(new Error('a list publishes nothing'));

  async function changeLetters(
    { group: wanted, ids }: DeadLetterSelection,
    change: (log: ReturnType<typeof logOf>, entries: readonly LetterEntry[]) => Promise<number>,
  ): Promise<number> {
    const publisher = createKafkaPublisher(options, logger);
    try {
      await publisher.ready();
      let changed = 0;
      for (const group of wanted === null ? await listAllGroups() : [wanted]) {
        const log = logOf(group, publisher.send);
        // Listed once: an event that fails again meanwhile is not replayed again.
        const entries = await log.list();
        changed += await change(
          log,
          entries.filter(({ id }) => ids === null || ids.includes(id)),
        );
      }
      return changed;
    } finally {
      await publisher.stop();
    }
  }

  return {
    async listDeadLetters({ group: wanted, limit, after }) {
      const entries: LetterEntry[] = [];
      for (const group of wanted === null ? await listAllGroups() : [wanted])
        entries.push(...(await logOf(group, readOnly).list()));
      const letters = entries
        .map((entry) => ({ entry, cursor: formatCursor(entry) }))
        .filter(({ cursor }) => after === null || cursor > after)
        .sort((left, right) => (left.cursor < right.cursor ? -1 : 1));
      const page = letters.slice(0, limit);
      const rows = new Map<string, DeadLetterRow>();
      for (const group of new Set(page.map(({ entry }) => entry.group))) {
        const ofGroup = page.flatMap(({ entry }) => (entry.group === group ? entry : []));
        for (const letter of await logOf(group, readOnly).load(ofGroup))
          rows.set(`${group} ${letter.id}`, toDeadLetterRow({ ...letter, group }));
      }
      return {
        rows: page.flatMap(({ entry: { group, id } }) => rows.get(`${group} ${id}`) ?? []),
        total: entries.length,
        next: letters.length > limit ? (page.at(-1)?.cursor ?? null) : null,
      };
    },
    replayDeadLetters: (selection) => changeLetters(selection, (log, entries) => log.replay(entries)),
    discardDeadLetters: (selection) => changeLetters(selection, (log, entries) => log.discard(entries)),
    async readLag() {
      return withAdmin(options, logger, async (admin) => {
        const rows = await readGroupLags(admin, names, await listGroups(admin, names));
        return rows.flatMap(({ group, members, lags }) => lags.map((lag) => ({ group, ...lag, members })));
      });
    },
  };
}
